#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The absolute path of a file without symbolic links, so that all paths of a file result in the same lock. SQLite also resolves symbolic
/// links before it names the files beside the database.
struct FilePath: Sendable {
    let name: String

    /// Resolves the symbolic links of a path. The file itself need not exist.
    init(resolving path: String) throws(DatabaseFileError) {
        if let name = Self.resolve(path) {
            guard !Self.isFolder(name) else { throw .isFolder(path: name) }
            // SQLite would wait for ever at a named pipe.
            guard Self.isFile(name) else { throw .notADatabase(path: name) }
            self.name = name
            return
        }
        let (folder, file) = Self.split(path)
        guard let folder = Self.resolve(folder), Self.isFolder(folder) else { throw .noFolder(path: path) }
        guard !file.isEmpty else { throw .isFolder(path: folder) }
        name = folder == "/" ? folder + file : folder + "/" + file
    }

    /// Returns the size of a file in bytes, or 0 if the file does not exist.
    static func size(of name: String) -> Int {
        var status = stat()
        return stat(name, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns a Boolean value that indicates whether the database has a file with this suffix, such as `-wal`.
    func exists(_ suffix: String) -> Bool { access(name + suffix, F_OK) == 0 }

    /// Checks that this process may create files in the folder, and may read and write the files of the database.
    func checkAccess() throws(DatabaseFileError) {
        try checkAccess(to: folder, W_OK | X_OK)
        for suffix in ["", "-wal", "-shm", ".lock"] where exists(suffix) { try checkAccess(to: name + suffix, R_OK | W_OK) }
    }

    private func checkAccess(to path: String, _ rights: CInt) throws(DatabaseFileError) {
        guard faccessat(AT_FDCWD, path, rights, AT_EACCESS) == 0 else { throw FileLock.cause(errno, path: name) }
    }

    /// The path of the folder that contains the database.
    var folder: String { Self.split(name).folder }

    /// Calls `fsync` for the folder of the database, so that the names of its files are durable. Errors are ignored, as in SQLite,
    /// because some file systems do not support `fsync` for folders.
    func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func split(_ path: String) -> (folder: String, file: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isFolder(_ name: String) -> Bool { kind(of: name) == S_IFDIR }

    private static func isFile(_ name: String) -> Bool { kind(of: name) == S_IFREG }

    private static func kind(of name: String) -> mode_t? {
        var status = stat()
        return stat(name, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
