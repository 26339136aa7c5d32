/// The records with which a new database begins, so that every example screen has something to
/// show. They are the same on every machine.
public enum Examples {
    /// Inserts those parts that a database has not got yet: all of them into a new one, those that came
    /// later into one of an older version. It is no step of the schema, because such a step would have to
    /// work on the tables of its time for ever.
    ///
    /// - Parameters:
    ///   - transactions: those of screens, of which some have examples.
    ///   - inserted: the parts that the database has.
    /// - Returns: the parts that were inserted, in their order.
    public static func insertMissing(by transactions: [Any], besides inserted: Set<Int>) throws -> [Int] {
        var added: Set<Int> = []
        for transaction in transactions {
            guard var examples = transaction as? any ExampleInserting else { continue }
            let part = type(of: examples).examplesPart
            guard !inserted.contains(part) else { continue }
            try examples.insertExamples()
            added.insert(part)
        }
        return added.sorted()
    }
}

/// The transaction of a screen of which a new database has some records.
public protocol ExampleInserting {
    /// The part of the examples that these are. A store keeps the number of each part that it has inserted,
    /// so a part that has been released keeps its number and its records; what is deleted stays deleted, and
    /// later examples are a later part.
    static var examplesPart: Int { get }

    /// Inserts them.
    ///
    /// - Throws: what the inserts throw, such as ``PostsStoreError/postExists(id:)`` where they have been
    ///   inserted before.
    mutating func insertExamples() throws
}
