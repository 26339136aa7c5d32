public import ScreenService

/// A mountain. The `mountains` screen searches the mountains.
public struct Mountain: Hashable, Decodable, Sendable {
    /// The id, such as `pic-du-midi-d-ossau`. It consists of lowercase ASCII letters, digits and hyphens.
    public let id: String
    /// The local name in Latin letters.
    public var name: String
    /// The height of the highest summit above sea level, in metres.
    public var metres: Int
    /// The name of the mountain range, or `nil` if the mountain belongs to no well-known range.
    public var range: TranslatedText?
    /// The two-letter codes (ISO 3166-1) of the countries that share the highest summit.
    public var countries: [String]
}

/// A text in both languages of the example screens.
public struct TranslatedText: Hashable, Decodable, Sendable {
    public var english: String
    public var french: String
}

/// A transaction on mountains.
public struct MountainsTransaction: ExampleTransaction {
    // A mountain has a range in both languages, or in neither. The codes of its countries are separated by spaces.
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

    /// Returns all mountains, ordered by the UTF-8 bytes of their ids.
    public func mountains() throws -> [Mountain] {
        let sql = "SELECT id, name, metres, english_range, french_range, countries FROM mountain ORDER BY id"
        return try records.rows(of: .mountains, sql, [], Mountain.init)
    }

    /// Inserts a mountain.
    public mutating func insertMountain(_ mountain: Mountain) throws {
        try records.write(
            "INSERT INTO mountain VALUES ($1, $2, $3, $4, $5, $6)",
            [
                mountain.id, mountain.name, mountain.metres, mountain.range?.english, mountain.range?.french,
                mountain.countries.joined(separator: " "),
            ],
            announcing: [.mountains]
        )
    }

    public mutating func insertExamples() throws {
        for mountain in try Examples.mountains { try insertMountain(mountain) }
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
