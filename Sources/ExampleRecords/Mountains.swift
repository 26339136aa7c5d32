public import ScreenService

/// A mountain of the world; the `mountains` screen finds it by its name.
public struct Mountain: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens: `pic-du-midi-d-ossau`.
    public let id: String
    /// The name that is used there, in Latin letters.
    public var name: String
    /// The height of its highest summit above the sea.
    public var metres: Int
    /// Nil where it belongs to none that is widely known.
    public var range: TranslatedText?
    /// The codes of the countries that share its highest summit (ISO 3166-1, two letters).
    public var countries: [String]

    public init(id: String, name: String, metres: Int, range: TranslatedText?, countries: [String]) {
        self.id = id
        self.name = name
        self.metres = metres
        self.range = range
        self.countries = countries
    }
}

/// A text in each language that screens speak, such as the name of a mountain range.
public struct TranslatedText: Hashable, Sendable {
    public var english: String
    public var french: String

    public init(english: String, french: String) {
        self.english = english
        self.french = french
    }
}

/// A transaction on mountains.
public struct MountainsTransaction: ExampleTransaction {
    // Both names of the range are there or neither; the countries' codes stand between spaces.
    public static let sqlite = [
        RecordMigration(
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
        ),
        RecordMigration(
            "mountains names",
            """
            ALTER TABLE mountain RENAME COLUMN englishRange TO english_range;
            ALTER TABLE mountain RENAME COLUMN frenchRange TO french_range;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
            "mountains",
            """
            CREATE TABLE example.mountain (
                id text COLLATE "C" NOT NULL PRIMARY KEY,
                name text NOT NULL,
                metres bigint NOT NULL,
                english_range text,
                french_range text,
                countries text NOT NULL
            );
            """
        )
    ]
    public static let examplesPart: Int? = 2

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// All mountains, ordered by id (as UTF-8).
    public func mountains() throws -> [Mountain] {
        let sql = "SELECT id, name, metres, english_range, french_range, countries FROM mountain ORDER BY id"
        return try records.rows(of: .mountains, sql, [], Mountain.init)
    }

    /// - Throws: ``MountainsStoreError/mountainExists(id:)``
    public mutating func insertMountain(_ mountain: Mountain) throws {
        try records.write(
            "INSERT INTO mountain VALUES ($1, $2, $3, $4, $5, $6)", arguments(mountain), announcing: [.mountains],
            ifTaken: MountainsStoreError.mountainExists(id: mountain.id)
        )
    }

    /// Puts `mountain` in the place of the one with its id.
    ///
    /// - Throws: ``MountainsStoreError/noMountain(id:)``
    public mutating func replaceMountain(_ mountain: Mountain) throws {
        let sql = "SELECT id, name, metres, english_range, french_range, countries FROM mountain WHERE id = $1"
        guard let old = try records.row(of: nil, sql, [mountain.id], Mountain.init) else {
            throw MountainsStoreError.noMountain(id: mountain.id)
        }
        guard mountain != old else { return }
        try records.write(
            "UPDATE mountain SET name = $2, metres = $3, english_range = $4, french_range = $5, countries = $6 WHERE id = $1",
            arguments(mountain), announcing: [.mountains]
        )
    }

    /// Deletes a mountain; false where there is none with this id.
    @discardableResult
    public mutating func deleteMountain(_ id: String) throws -> Bool {
        try records.write("DELETE FROM mountain WHERE id = $1", [id], announcing: [.mountains]) > 0
    }

    public mutating func insertExamples() throws {
        for mountain in Examples.mountains { try insertMountain(mountain) }
    }

    private func arguments(_ mountain: Mountain) -> [(any RecordValue)?] {
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
    fileprivate init(_ row: any RecordRow) throws {
        let (english, french, countries): (String?, String?, String) = (try row[3], try row[4], try row[5])
        try self.init(
            id: row[0],
            name: row[1],
            metres: row[2],
            range: english.map { TranslatedText(english: $0, french: french ?? $0) },
            countries: countries.split(separator: " ").map(String.init)
        )
    }
}

/// A fault of a write of mountains.
public enum MountainsStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case mountainExists(id: String)
    case noMountain(id: String)

    /// The fault in one English sentence for logs.
    public var description: String {
        switch self {
        case .mountainExists(let id): "There is a mountain \(id) already."
        case .noMountain(let id): "There is no mountain \(id)."
        }
    }
}
