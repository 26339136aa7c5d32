public import ExampleStores
public import RelistPostgres
import ScreenService

/// Mountains in PostgreSQL.
public struct PostgresMountains: PostgresTables, MountainsTransaction {
    // Both names of the range are there or neither; the countries' codes stand between spaces.
    public static let migration = PostgresMigration(
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

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any MountainsTransaction {
        PostgresMountains(transaction: transaction)
    }

    public func mountains() throws -> [Mountain] {
        let sql = "SELECT id, name, metres, english_range, french_range, countries FROM example.mountain ORDER BY id"
        return try transaction.rows(of: .mountains, sql, [], Mountain.init)
    }

    public func insertMountain(_ mountain: Mountain) throws {
        try transaction.write(
            "INSERT INTO example.mountain VALUES ($1, $2, $3, $4, $5, $6)", arguments(mountain), announcing: [.mountains],
            ifTaken: MountainsStoreError.mountainExists(id: mountain.id)
        )
    }

    public func replaceMountain(_ mountain: Mountain) throws {
        let sql = "SELECT id, name, metres, english_range, french_range, countries FROM example.mountain WHERE id = $1"
        guard let old = try transaction.row(of: nil, sql, [mountain.id], Mountain.init) else {
            throw MountainsStoreError.noMountain(id: mountain.id)
        }
        guard mountain != old else { return }
        try transaction.write(
            """
            UPDATE example.mountain SET name = $2, metres = $3, english_range = $4, french_range = $5, countries = $6 WHERE id = $1
            """,
            arguments(mountain), announcing: [.mountains]
        )
    }

    public func deleteMountain(_ id: String) throws -> Bool {
        try transaction.write("DELETE FROM example.mountain WHERE id = $1", [id], announcing: [.mountains]) > 0
    }

    private func arguments(_ mountain: Mountain) -> [PostgresTransaction.Argument] {
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
    fileprivate init(_ row: PostgresRow) throws {
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
