#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The one absolute name of a file, whichever way it was written.
///
/// Two names of one file have to lead to one lock, and SQLite resolves links too before it names
/// the files beside the database.
struct FilePath: Sendable {
    let name: String

    /// - Throws: ``DatabaseFileError/noFolder(path:)``, ``DatabaseFileError/isFolder(path:)``
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

    /// The size of the file in bytes; 0 where there is none.
    static func size(of name: String) -> Int {
        var status = stat()
        return stat(name, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the names in the file's folder outlive a loss of power. Like SQLite, it lets file systems be
    /// that cannot do so.
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
