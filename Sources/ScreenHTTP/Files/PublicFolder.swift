import Glibc

/// The folder that files are served from. It opens what lies beneath it, and nothing else.
///
/// It goes from folder to folder by their descriptors and follows links itself, so that no link
/// that is swapped meanwhile leads outside. A link may be relative, or absolute into this folder;
/// on its whole way it must not leave the folder.
struct PublicFolder: Sendable {
    /// As many links as the system follows on one way.
    private static let linkLimit = 40
    /// What passes by itself; everything else means that there is no such file.
    private static let passing = [EMFILE, ENFILE, ENOMEM, EIO]

    /// That there may be a file, which cannot be opened or read now.
    struct OutOfReach: Error, Hashable {
        static let unreadable = OutOfReach(EIO)

        let code: Int32

        private init(_ code: Int32) {
            self.code = code
        }

        /// Nil for a code which says that there is no such file.
        init?(code: Int32) {
            guard PublicFolder.passing.contains(code) else { return nil }
            self.init(code)
        }
    }

    private enum Step: ~Copyable {
        case entry(Descriptor)
        case link(String)
    }

    private let path: String

    /// - Parameter path: links in it are followed here, once.
    init?(_ path: String) {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        self.path = String(cString: resolved)
    }

    /// Opens a file for reading; nil if there is none.
    ///
    /// - Parameter names: of the folders on the way, and of the file.
    func open(_ names: [String]) throws(OutOfReach) -> OpenFile? {
        var ahead = names[...]
        var passed: [String] = []
        var links = 0
        guard var folder = try root() else { return nil }
        while let name = ahead.popFirst() {
            if name == ".." {
                // A folder that was moved meanwhile has another parent, so it is looked for anew.
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

    private func root() throws(OutOfReach) -> Descriptor? {
        if let folder = Descriptor(path, O_RDONLY | O_DIRECTORY) { return folder }
        if let fault = OutOfReach(code: errno) { throw fault }
        return nil
    }

    /// Where a link leads from its own folder, or from this one if it is absolute; nil for outside.
    private func inside(_ target: String) -> [String]? {
        let names = target.split(separator: "/").map(String.init).filter { $0 != "." }
        guard target.hasPrefix("/") else { return names }
        let own = path.split(separator: "/").map(String.init)
        return names.starts(with: own) ? Array(names.dropFirst(own.count)) : nil
    }

    private static func step(to name: String, in folder: borrowing Descriptor, isLast: Bool) throws(OutOfReach) -> Step? {
        let flags = O_RDONLY | O_NOFOLLOW | (isLast ? O_NONBLOCK : O_DIRECTORY)
        if let entry = Descriptor(name, in: folder, flags) { return .entry(entry) }
        // A link gives ELOOP, and ENOTDIR where a folder should be.
        let code = errno
        if let fault = OutOfReach(code: code) { throw fault }
        guard code == ELOOP || code == ENOTDIR, let target = folder.link(name) else { return nil }
        return .link(target)
    }
}
