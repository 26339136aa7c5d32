import Foundation

/// The dependency of a new package on Relist.
enum Dependency: Equatable {
    /// A folder, given by its absolute path.
    case local(String)
    /// A Git repository.
    case repository(url: String)

    /// Parses the path of a folder or the URL of a repository.
    ///
    /// - Throws: a fault if the new package cannot depend on the folder or repository.
    init(_ text: String, for name: PackageName) throws(ScaffoldingFault) {
        self = Self.isURL(text) ? .repository(url: text) : try .folder(text, for: name)
        // SwiftPM treats two packages as one if their folders have the same name.
        if case .repository = self, identity.lowercased() == name.text.lowercased() { throw .sameName(text) }
    }

    /// Returns the checkout of Relist that this program was built from.
    ///
    /// - Parameter file: the path of this source file.
    /// - Throws: ``ScaffoldingFault/unknownSource`` if the checkout no longer exists, or another fault if the new package cannot depend on
    ///   the checkout.
    static func checkout(of file: String = #filePath, for name: PackageName) throws(ScaffoldingFault) -> Dependency {
        // Removes the last four components: `Sources`, `RelistCommand`, `Scaffolding` and the name of the file.
        let folder = (0..<4).reduce(URL(filePath: file)) { url, _ in url.deletingLastPathComponent() }
        do { return try .folder(folder.path(percentEncoded: false), for: name) } catch {
            if case .notRelist = error { throw .unknownSource }
            throw error
        }
    }

    private static func folder(_ path: String, for name: PackageName) throws(ScaffoldingFault) -> Dependency {
        let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.resolvingSymlinksInPath()
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        guard !path.isEmpty, let manifest, manifest.contains(#/\bPackage\(\s*name:\s*"relist"/#) else { throw .notRelist(path) }
        // SwiftPM treats two packages as one if their folders have the same name.
        guard folder.lastPathComponent.lowercased() != name.text.lowercased() else { throw .sameName(path) }
        return .local(folder.path(percentEncoded: false).withoutSlash)
    }

    /// Returns a Boolean value that indicates whether a text is the URL of a Git repository. The short form of SSH,
    /// `git@host:path`, is such a URL.
    private static func isURL(_ text: String) -> Bool {
        text.wholeMatch(of: #/(https?|ssh|file)://\S+/(?!\.git/?$)[^\s/]+/?|[^\s/@]+@[^\s/:]+:(\S+/)?(?!\.git/?$)[^\s/]+/?/#) != nil
    }

    /// The name by which product dependencies refer to the package.
    var identity: String {
        guard case .repository(let url) = self else { return "relist" }
        let name = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? url
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }

    /// The dependency in the syntax of a package manifest.
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

    /// The text as a string literal of Swift, on one line.
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
