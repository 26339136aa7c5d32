import GRDB

/// Why a database file could not be opened.
///
/// Every `path` is that of the database; but for ``noFolder(path:)``, which has it as it was given,
/// it is absolute and has no symbolic links.
public enum DatabaseFileError: Error, Hashable, Sendable {
    /// The folder that the file should lie in does not exist, or is none.
    case noFolder(path: String)
    /// There is a folder where the file should be.
    case isFolder(path: String)
    /// The file, or one that has to lie beside it, may not be read and written.
    case noPermission(path: String)
    /// Another process has it open, or this one does already. The process is nil where it is not
    /// known.
    case inUse(path: String, process: Int32?)
    /// It was moved, replaced or deleted while it was opened.
    case moved(path: String)
    /// What lies there is no SQLite database.
    case notADatabase(path: String)
    /// It is an SQLite database that another program made.
    case otherProgram(path: String)
    /// A newer version of this program has changed its schema in steps that this one lacks.
    case newerSchema(path: String, unknownSteps: [String])
    /// It is a database whose content contradicts itself.
    case damaged(path: String)
    /// There is no space left to write in.
    case diskFull(path: String)
    /// The operating system refused it, with this `errno`.
    case system(path: String, errno: Int32)
    /// SQLite refused it, with this extended result code (sqlite.org/rescode.html).
    case sqlite(path: String, code: Int32)
}

extension DatabaseFileError: CustomStringConvertible {
    /// What is wrong and what to do about it, in English, for whoever starts the program.
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
