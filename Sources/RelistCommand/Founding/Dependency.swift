import Foundation

/// The source from which a new package has relist.
enum Dependency: Equatable {
    /// A folder, by its absolute path.
    case local(String)
    /// A Git repository.
    case repository(url: String)

    /// Takes a folder or the URL of a repository.
    ///
    /// - Throws: what keeps it from being depended on.
    init(_ text: String, for name: PackageName) throws(FoundingFault) {
        self = Self.isURL(text) ? .repository(url: text) : try .folder(text, for: name)
        // Two packages are the same for SwiftPM where their folders have one name.
        if case .repository = self, identity.lowercased() == name.text.lowercased() { throw .sameName(text) }
    }

    /// The checkout that this program was built from.
    ///
    /// - Parameter file: the place of this file in it.
    /// - Throws: ``FoundingFault/unknownSource`` where it is not there any more; what keeps it from being depended on.
    static func checkout(of file: String = #filePath, for name: PackageName) throws(FoundingFault) -> Dependency {
        // Sources, RelistCommand, Founding, and the file.
        let folder = (0..<4).reduce(URL(filePath: file)) { url, _ in url.deletingLastPathComponent() }
        do { return try .folder(folder.path(percentEncoded: false), for: name) } catch {
            if case .notRelist = error { throw .unknownSource }
            throw error
        }
    }

    private static func folder(_ path: String, for name: PackageName) throws(FoundingFault) -> Dependency {
        let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.resolvingSymlinksInPath()
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        guard !path.isEmpty, let manifest, manifest.contains(#/\bPackage\(\s*name:\s*"relist"/#) else { throw .notRelist(path) }
        // Two packages are the same for SwiftPM where their folders have one name.
        guard folder.lastPathComponent.lowercased() != name.text.lowercased() else { throw .sameName(path) }
        return .local(folder.path(percentEncoded: false).withoutSlash)
    }

    /// Returns a Boolean value that indicates whether a text is the URL of a repository, which may have the short form of SSH:
    /// `git@host:path`.
    private static func isURL(_ text: String) -> Bool {
        text.wholeMatch(of: #/(https?|ssh|file)://\S+/(?!\.git/?$)[^\s/]+/?|[^\s/@]+@[^\s/:]+:(\S+/)?(?!\.git/?$)[^\s/]+/?/#) != nil
    }

    /// The name by which products are taken from it.
    var identity: String {
        guard case .repository(let url) = self else { return "relist" }
        let name = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? url
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }

    /// As it stands in a manifest.
    var declaration: String {
        switch self {
        case .repository(let url): ".package(url: \(url.swiftLiteral), branch: \"main\")"
        case .local(let path): ".package(name: \"relist\", path: \(path.swiftLiteral))"
        }
    }
}

extension String {
    fileprivate var withoutSlash: String {
        count > 1 && hasSuffix("/") ? String(dropLast()) : self
    }

    /// A literal of this text in Swift, on one line.
    var swiftLiteral: String {
        let characters = unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isWhitespace && scalar != " ":
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }
}
