import Glibc

/// The folder whose files are served. Files outside the folder cannot be opened.
///
/// Each name on a path is opened through the descriptor of its parent folder, and symbolic links are resolved by this type instead of the
/// system. So a link cannot lead outside the folder, even if the link is replaced while the file is being opened. The target of a link is
/// a relative path, or an absolute path into this folder.
struct PublicFolder: Sendable {
    /// The maximum number of symbolic links on a path. Linux has the same limit.
    private static let linkLimit = 40
    /// The codes of temporary errors. Any other code means that there is no such file.
    private static let temporaryErrors = [EMFILE, ENFILE, ENOMEM, EIO]

    /// A temporary error that occurred while a file was opened or read. A later attempt may succeed.
    struct TemporaryError: Error, Hashable {
        static let unreadable = TemporaryError(EIO)

        let code: Int32

        private init(_ code: Int32) {
            self.code = code
        }

        /// Creates the error for a value of `errno`. Returns nil if the value is not the code of a temporary error.
        init?(code: Int32) {
            guard PublicFolder.temporaryErrors.contains(code) else { return nil }
            self.init(code)
        }
    }

    private enum Step: ~Copyable {
        case entry(Descriptor)
        case link(String)
    }

    private let path: String

    /// Creates the folder at a path, or returns nil if nothing exists at the path. Symbolic links in this path are resolved only once.
    init?(_ path: String) {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        self.path = String(cString: resolved)
    }

    /// Opens a file for reading, or returns nil if there is no such file. `names` are the folders on the path, and the file.
    func open(_ names: [String]) throws(TemporaryError) -> OpenFile? {
        var ahead = names[...]
        var passed: [String] = []
        var links = 0
        guard var folder = try root() else { return nil }
        while let name = ahead.popFirst() {
            if name == ".." {
                // `..` is not opened, because it leads to a different folder if the current folder has just been moved.
                guard passed.popLast() != nil, let top = try root() else { return nil }
                (ahead, passed) = ((passed + ahead)[...], [])
                folder = top
                continue
            }
            switch try Self.step(to: name, in: folder, isLast: ahead.isEmpty) {
            case nil: return nil
            case .entry(let entry):
                passed.append(name)
                if ahead.isEmpty { return OpenFile(entry, location: passed.joined(separator: "/")) }
                folder = entry
            case .link(let target):
                links += 1
                guard links <= Self.linkLimit, let inside = inside(target) else { return nil }
                ahead = (inside + ahead)[...]
                if target.hasPrefix("/") {
                    guard let top = try root() else { return nil }
                    passed = []
                    folder = top
                }
            }
        }
        return nil
    }

    private func root() throws(TemporaryError) -> Descriptor? {
        if let folder = Descriptor(path, O_RDONLY | O_DIRECTORY) { return folder }
        if let fault = TemporaryError(code: errno) { throw fault }
        return nil
    }

    /// Returns the names in the target of a link: relative to the folder of the link, or to this folder if the target is absolute.
    /// Returns nil if an absolute target is outside this folder.
    private func inside(_ target: String) -> [String]? {
        let names = target.split(separator: "/").map(String.init).filter { $0 != "." }
        guard target.hasPrefix("/") else { return names }
        let own = path.split(separator: "/").map(String.init)
        return names.starts(with: own) ? Array(names.dropFirst(own.count)) : nil
    }

    private static func step(to name: String, in folder: borrowing Descriptor, isLast: Bool) throws(TemporaryError) -> Step? {
        let flags = O_RDONLY | O_NOFOLLOW | (isLast ? O_NONBLOCK : O_DIRECTORY)
        if let entry = Descriptor(name, in: folder, flags) { return .entry(entry) }
        // Opening a link fails with ELOOP, or with ENOTDIR if a folder was expected.
        let code = errno
        if let fault = TemporaryError(code: code) { throw fault }
        guard code == ELOOP || code == ENOTDIR, let target = folder.link(name) else { return nil }
        return .link(target)
    }
}
