import Foundation
public import ScreenService

/// The records that a new database starts with. SwiftPM copies their JSON files from `Data` to a folder beside each program that is built
/// with this target. The files are read only once. Each property throws an error if any file is missing or invalid.
public enum Examples {
    /// 120 posts, numbered from 1, by twelve authors.
    public static var posts: [Post] { get throws { try files.get().posts } }
    /// Mountains of all continents, grouped by range.
    public static var mountains: [Mountain] { get throws { try files.get().mountains } }
    /// The names of the countries in `Mountain.countries`, by code. The names in Foundation are not used, because replicas with
    /// different versions of Foundation would show different names.
    public static var countries: [String: TranslatedText] { get throws { try files.get().countries } }
    /// A fictitious singer.
    public static var artist: Artist { get throws { try files.get().artist } }
    /// The albums of ``artist``, the oldest first.
    public static var albums: [Album] { get throws { try files.get().albums } }
    /// The tracks of ``albums``, in the order of the albums.
    public static var tracks: [Track] { get throws { try files.get().tracks } }
    /// The example contracts. The first contract has been fully delivered. Deliveries can still be added to most of the others.
    public static var contracts: [Contract] { get throws { try files.get().contracts } }
    /// The deliveries of ``contracts``.
    public static var deliveries: [Delivery] { get throws { try files.get().deliveries } }

    /// Checks the files of the examples, so that a server without them does not start.
    public static func checkFiles() throws {
        _ = try files.get()
    }

    private struct Files {
        let posts: [Post]
        let mountains: [Mountain]
        let countries: [String: TranslatedText]
        let artist: Artist
        let albums: [Album]
        let tracks: [Track]
        let contracts: [Contract]
        let deliveries: [Delivery]

        init() throws {
            posts = try read("posts")
            mountains = try read("mountains")
            countries = try read("countries")
            artist = try read("artist")
            albums = try read("albums")
            tracks = try read("tracks")
            contracts = try read("contracts")
            deliveries = try read("deliveries") + manyDeliveries
        }
    }

    private static let files = Result { try Files() }
    // `Bundle.module` is not used, because it stops the program if the folder is missing.
    private static let folder = Bundle.main.bundleURL.appending(path: "relist_ExampleRecords.resources/Data")

    private static func read<Records: Decodable>(_ name: String) throws -> Records {
        let file = folder.appending(path: name + ".json")
        guard let json = FileManager.default.contents(atPath: file.path) else { throw MissingExamples(path: file.path) }
        return try JSONDecoder().decode(Records.self, from: json)
    }

    /// 2,000 deliveries of one contract on 60 days, to show a long list. The deliveries of the first 30 days are weighed.
    private static var manyDeliveries: [Delivery] {
        let firstDay = CalendarDay(year: 2018, month: 7, day: 16)!
        return (0..<2000).map { index in
            let dayIndex = index * 60 / 2000
            // Weighbridges measure in steps of 20 kg. The index is multiplied by a prime number, so that the weights vary.
            let scheduledWeight = 24_000 + index * 7919 % 290 * 20
            let difference = index * 104_729 % 31 * 20 - 300
            return Delivery(
                id: "\(5001 + index)-1",
                contract: "240500-000",
                day: firstDay.advanced(by: dayIndex)!,
                scheduledWeight: Weight(kilograms: scheduledWeight),
                weighedWeight: dayIndex < 30 ? Weight(kilograms: scheduledWeight + difference) : nil
            )
        }
    }
}

/// An error that reports a missing file or folder of the examples.
public struct MissingExamples: Error, CustomStringConvertible {
    let path: String

    public var description: String {
        "The example data is missing: \(path) cannot be read. Copy relist_ExampleRecords.resources together with the program."
    }
}

extension CalendarDay: Decodable {
    /// Decodes ISO 8601 text, such as `2018-07-12`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = CalendarDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a day")
        }
        self = day
    }
}

// MARK: - Inserting

extension Examples {
    /// The name of the first SQLite migration, which creates the tables of three screens.
    static let firstStep = "records"

    /// Returns the migrations that create the tables of `screens` and the table that lists the inserted parts of the examples. `screens`
    /// must contain all screens that can use the database, not only the screens of the current configuration.
    public static func migrations(of screens: [any ExampleTransaction.Type], for engine: RecordEngine) -> [RecordMigration] {
        switch engine {
        case .sqlite:
            [RecordMigration(firstStep, "CREATE TABLE examples (inserted INTEGER NOT NULL) STRICT;")] + screens.flatMap { $0.sqlite } + [
                RecordMigration(
                    "examples names", "ALTER TABLE examples RENAME COLUMN inserted TO part; ALTER TABLE examples RENAME TO inserted;")
            ]
        case .postgres:
            [RecordMigration("examples", "CREATE SCHEMA example; CREATE TABLE example.inserted (part bigint NOT NULL PRIMARY KEY);")]
                + screens.flatMap { $0.postgres }
        }
    }

    /// Inserts the parts of the examples that the database does not have yet. This function is not a migration, because it needs the
    /// current tables. A migration runs before later migrations, which can change the tables.
    public static func insertMissing(of screens: [any ExampleTransaction.Type], in records: any RecordTransaction) throws {
        let inserted = try Set(records.rows(of: nil, "SELECT part FROM inserted") { try $0[0] as Int })
        var added: Set<Int> = []
        for screen in screens {
            guard let part = screen.examplesPart, !inserted.contains(part) else { continue }
            var transaction = screen.init(records)
            try transaction.insertExamples()
            added.insert(part)
        }
        for part in added.sorted() { try records.write("INSERT INTO inserted VALUES ($1)", [part]) }
    }
}
