@testable import RelistSQLite

extension SQLiteServiceStore {
    /// The database file of the store. The store must have been opened with a path.
    var file: OwnFile {
        guard let file = database as? OwnFile else { preconditionFailure("A store in a team's database has no file.") }
        return file
    }
}
