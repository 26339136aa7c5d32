/// Why a database file could not be opened.
///
/// Every `path` is that of the database; but for ``noFolder(path:)``, which has it as it was given,
/// it is absolute and has no symbolic links.
public enum StorageError: Error, Hashable, Sendable {
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
