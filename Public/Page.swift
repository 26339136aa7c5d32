import Glibc

/// The web page that shows the screens of a server.
public enum Page {
    /// The folder with the files of the page, beside the running program; `nil` if the program was moved without the folder.
    public static var folder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        let program = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex) + "/relist_RelistPage.resources"
        return access(String(folder), R_OK) == 0 ? String(folder) : nil
    }
}
