import GRDB

extension StorageError {
    /// The cause that SQLite's result code stands for.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notADatabase(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path: path, process: nil)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: self = .noPermission(path: path)
        default: self = .sqlite(path: path, code: error.extendedResultCode.rawValue)
        }
    }
}
