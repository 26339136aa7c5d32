public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// Mountains in SQLite.
public struct SQLiteMountains: SQLiteTables, MountainsTransaction {
    // Both names of the range are there or neither; the countries' codes stand between spaces.
    public static let migration = SQLiteMigration(
        "mountains",
        """
        CREATE TABLE mountain (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            metres INTEGER NOT NULL,
            englishRange TEXT,
            frenchRange TEXT,
            countries TEXT NOT NULL
        ) STRICT;
        """
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any MountainsTransaction {
        SQLiteMountains(transaction: transaction)
    }

    public func mountains() throws -> [Mountain] {
        let sql = "SELECT id, name, metres, englishRange, frenchRange, countries FROM mountain ORDER BY id"
        return try transaction.rows(of: .mountains, sql, [], Mountain.init)
    }

    public func insertMountain(_ mountain: Mountain) throws {
        try transaction.write(
            "INSERT INTO mountain VALUES (?, ?, ?, ?, ?, ?)", arguments(mountain), announcing: [.mountains],
            ifTaken: MountainsStoreError.mountainExists(id: mountain.id)
        )
    }

    public func replaceMountain(_ mountain: Mountain) throws {
        let sql = "SELECT id, name, metres, englishRange, frenchRange, countries FROM mountain WHERE id = ?"
        guard let old = try transaction.row(of: nil, sql, [mountain.id], Mountain.init) else {
            throw MountainsStoreError.noMountain(id: mountain.id)
        }
        guard mountain != old else { return }
        try transaction.write(
            "REPLACE INTO mountain VALUES (?, ?, ?, ?, ?, ?)", arguments(mountain), announcing: [.mountains]
        )
    }

    public func deleteMountain(_ id: String) throws -> Bool {
        try transaction.write("DELETE FROM mountain WHERE id = ?", [id], announcing: [.mountains]) > 0
    }

    private func arguments(_ mountain: Mountain) -> [SQLiteTransaction.Argument] {
        [
            mountain.id, mountain.name, mountain.metres, mountain.range?.english, mountain.range?.french,
            mountain.countries.joined(separator: " "),
        ]
    }
}

extension Topic {
    fileprivate static let mountains = Topic("mountains")
}

extension Mountain {
    fileprivate init(_ row: Row) throws {
        let (english, french, countries): (String?, String?, String) = try (row.value(3), row.value(4), row.value(5))
        try self.init(
            id: row.value(0),
            name: row.value(1),
            metres: row.value(2),
            range: english.map { TranslatedText(english: $0, french: french ?? $0) },
            countries: countries.split(separator: " ").map(String.init)
        )
    }
}
