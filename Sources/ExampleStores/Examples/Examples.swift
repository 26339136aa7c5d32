/// The records with which a new database begins, so that every example screen has something to
/// show. They are the same on every machine.
public enum Examples {}

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
