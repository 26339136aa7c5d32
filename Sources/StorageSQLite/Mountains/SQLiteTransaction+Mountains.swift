import GRDB
import Storage

extension SQLiteTransaction: MountainsWriting {
    func mountains() throws -> [Mountain] {
        noteRead(.mountains)
        return try rows(
            "SELECT id, name, metres, englishRange, frenchRange, countries FROM mountain ORDER BY id", [], Mountain.init
        )
    }

    func insertMountain(_ mountain: Mountain) throws {
        try write(
            "INSERT INTO mountain VALUES (?, ?, ?, ?, ?, ?)", arguments(mountain),
            ifTaken: .mountainExists(id: mountain.id)
        )
        noteWrite(.mountains)
    }

    func replaceMountain(_ mountain: Mountain) throws {
        guard let old = try storedMountain(mountain.id) else { throw StoreError.noMountain(id: mountain.id) }
        guard mountain != old else { return }
        try write("REPLACE INTO mountain VALUES (?, ?, ?, ?, ?, ?)", arguments(mountain))
        noteWrite(.mountains)
    }

    func deleteMountain(_ id: String) throws -> Bool {
        guard try write("DELETE FROM mountain WHERE id = ?", [Text(id)]) > 0 else { return false }
        noteWrite(.mountains)
        return true
    }

    private func storedMountain(_ id: String) throws -> Mountain? {
        try row(
            "SELECT id, name, metres, englishRange, frenchRange, countries FROM mountain WHERE id = ?",
            [Text(id)],
            Mountain.init
        )
    }

    private func arguments(_ mountain: Mountain) -> StatementArguments {
        [
            Text(mountain.id), Text(mountain.name), mountain.metres,
            mountain.range.map { Text($0.english) }, mountain.range.map { Text($0.french) },
            Text(mountain.countries.joined(separator: " ")),
        ]
    }
}

extension Mountain {
    fileprivate init(_ row: Row) {
        let (english, french, countries): (String?, String?, String) = (row[3], row[4], row[5])
        self.init(
            id: row[0],
            name: row[1],
            metres: row[2],
            range: english.map { TranslatedText(english: $0, french: french ?? $0) },
            countries: countries.split(separator: " ").map(String.init)
        )
    }
}
