import Foundation

/// Where a new package has relist from.
enum Dependency: Equatable {
    case published
    /// In a folder; its path is absolute.
    case local(String)

    static let url = "https://github.com/relist/relist"
    static let version = "1.0.0"

    /// - Throws: what keeps a folder from being depended on.
    static func folder(_ path: String, for name: PackageName) throws(FoundingFault) -> Dependency {
        let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.resolvingSymlinksInPath()
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        guard !path.isEmpty, let manifest, manifest.contains(#/\bPackage\(\s*name:\s*"relist"/#) else { throw .notRelist(path) }
        // Two packages are the same for SwiftPM where their folders have one name.
        guard folder.lastPathComponent.lowercased() != name.text.lowercased() else { throw .sameName(path) }
        return .local(folder.path(percentEncoded: false).withoutSlash)
    }

    /// As it stands in a manifest.
    var declaration: String {
        switch self {
        case .published: ".package(url: \"\(Self.url)\", from: \"\(Self.version)\")"
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
