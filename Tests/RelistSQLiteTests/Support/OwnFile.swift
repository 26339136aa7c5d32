@testable import RelistSQLite

extension SQLiteServiceStore {
    /// The file of a store that was opened with a path.
    var file: DatabaseFile {
        guard let file = database as? DatabaseFile else { preconditionFailure("a store in a database of a team's has no file") }
        return file
    }
}
