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

    /// Calls `fsync` for the folder of the database, so that the names of its files are durable. Errors are ignored, as in SQLite,
    /// because some file systems do not support `fsync` for folders.
    func syncFolder() {
        let descriptor = open(Self.split(name).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

    private static func isFolder(_ name: String) -> Bool {
        var status = stat()
        return stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
