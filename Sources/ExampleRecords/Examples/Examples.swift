public import ScreenService

/// The records with which a new database begins, so that every example screen has something to
/// show. They are the same on every machine.
public enum Examples {
    /// The name of the step that made the first tables of all in SQLite: of settings, deliveries and posts.
    static let firstStep = "records"

    /// The steps to the tables of some screens, with a table of the parts of the examples that were inserted.
    ///
    /// - Parameter screens: the transactions of all screens that the database is ever opened with.
    public static func migrations(of screens: [any ExampleTransaction.Type], for engine: RecordEngine) -> [RecordMigration] {
        switch engine {
        case .sqlite:
            [RecordMigration(firstStep, "CREATE TABLE examples (inserted INTEGER NOT NULL) STRICT;")] + screens.flatMap { $0.sqlite } + [
                RecordMigration("examples names", "ALTER TABLE examples RENAME COLUMN inserted TO part; ALTER TABLE examples RENAME TO inserted;")
            ]
        case .postgres:
            [RecordMigration("examples", "CREATE SCHEMA example; CREATE TABLE example.inserted (part bigint NOT NULL PRIMARY KEY);")]
                + screens.flatMap { $0.postgres }
        }
    }

    /// Inserts those parts that a database has not got yet: all of them into a new one, those that came
    /// later into one of an older version. It is no step of the schema, because such a step would have to
    /// work on the tables of its time for ever.
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
