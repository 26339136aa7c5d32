import Glibc
import RelistPage

/// Where the files lie that a server serves.
enum PublicFolders {
    /// The one that counts.
    ///
    /// - Parameters:
    ///   - said: in a flag or in the environment.
    ///   - own: what the program brings.
    /// - Returns: nil where there is none at all.
    static func folder(said: String?, own: String?) -> String? {
        said ?? own ?? (isFolder("Public") ? "Public" : Page.folder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
