import GRDB

/// An error that occurs when a database file is opened. `path` is absolute and without symbolic links, except in ``noFolder(path:)``.
public enum DatabaseFileError: Error, Hashable, Sendable {
    /// The folder of the file does not exist, or is not a folder.
    case noFolder(path: String)
    /// The path names a folder.
    case isFolder(path: String)
    /// This process has no permission to read and write the file, or a file beside it.
    case noPermission(path: String)
    /// A process, possibly this process, has the file open. `process` is the id of the process, or `nil` if the id is unknown.
    case inUse(path: String, process: Int32?)
    /// The file was moved, replaced or deleted while it was opened.
    case moved(path: String)
    /// The file is not an SQLite database.
    case notADatabase(path: String)
    /// The file is an SQLite database of another program.
    case otherProgram(path: String)
    /// A newer version of this program has run migrations that this version does not have.
    case newerSchema(path: String, unknownSteps: [String])
    /// The database is corrupt.
    case damaged(path: String)
    /// The disk is full.
    case diskFull(path: String)
    /// The operating system reported an error with this `errno`.
    case system(path: String, errno: Int32)
    /// SQLite reported an error with this extended result code (sqlite.org/rescode.html).
    case sqlite(path: String, code: Int32)
}

extension DatabaseFileError: CustomStringConvertible {
    /// A message in English that says what is wrong and what to do about it.
    public var description: String {
        switch self {
        case .noFolder(let path):
            "There is no folder for the database \(path). Create it, or name another file."
        case .isFolder(let path):
            "The database \(path) is a folder. Name a file in it."
        case .noPermission(let path):
            "The database \(path) cannot be read and written. Give this process the right to write "
                + "to the file and to its folder, or name another file."
        case .inUse(let path, let process):
            "The database \(path) is in use\(Self.user(process)). Stop that first, or name another file."
        case .moved(let path):
            "The database \(path) was moved, replaced or deleted while it was opened. Start again."
        case .notADatabase(let path):
            "The file \(path) is not an SQLite database. Name another file, or move this one away."
        case .otherProgram(let path):
            "The database \(path) was made by another program. Name another file."
        case .newerSchema(let path, let unknownSteps):
            "The database \(path) was changed by a newer version of this program, in steps that this "
                + "version lacks: \(unknownSteps.joined(separator: ", ")). Use that version, or another file."
        case .damaged(let path):
            "The database \(path) is damaged. Restore a copy of it, or move it and the files "
                + "\(path)-wal and \(path)-shm away to begin anew."
        case .diskFull(let path):
            "There is no space for the database \(path). Free some, and start again."
        case .system(let path, let errno):
            "The database \(path) cannot be opened: the operating system says errno \(errno)."
        case .sqlite(let path, let code):
            "The database \(path) cannot be opened: SQLite says \(code), see https://sqlite.org/rescode.html."
        }
    }

    private static func user(_ process: Int32?) -> String {
        process.map { " by process \($0)" } ?? " by another process"
    }
}

extension DatabaseFileError {
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
