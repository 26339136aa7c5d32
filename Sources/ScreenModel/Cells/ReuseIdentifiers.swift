import Synchronization

/// Derives reuse identifiers from the names of types, each once.
///
/// Rendering asks for one with every cell, and the name of a type takes microseconds to read.
final class ReuseIdentifiers: Sendable {
    static let shared = ReuseIdentifiers()

    private let known = Mutex<[ObjectIdentifier: String]>([:])

    func identifier(of type: any ViewContent.Type) -> String {
        known.withLock { known in
            if let identifier = known[ObjectIdentifier(type)] { return identifier }
            let identifier = Self.identifier(fromTypeName: String(describing: type))
            known[ObjectIdentifier(type)] = identifier
            return identifier
        }
    }

    /// Drops generic arguments and one suffix, and lowers the first letter or acronym:
    /// `URLPreviewCell<Int>` is `urlPreview`.
    static func identifier(fromTypeName name: String) -> String {
        let name = name.prefix { $0 != "<" }
        let suffix = ["Cell", "Header", "Footer", "View"].first { name.hasSuffix($0) && name != $0 }
        return loweringStart(of: name.dropLast(suffix?.count ?? 0))
    }

    private static func loweringStart(of name: Substring) -> String {
        let capitals = name.prefix(while: \.isUppercase)
        let rest = name[capitals.endIndex...]
        // The last capital of `URLPreview` begins the next word.
        let startsWord = capitals.count > 1 && rest.first?.isLowercase == true
        let start = startsWord ? capitals.dropLast() : capitals
        return start.lowercased() + name[start.endIndex...]
    }
}
