/// The content of one view on the screen: a cell, a header, a footer or a supplementary view.
///
/// Its fields are the content of the view on the wire; the requirements here become the keys that
/// mean the same everywhere. A type states them itself or adopts a trait, such as `Sized` or
/// `Selectable`, that answers them.
public protocol ViewContent: Content {
    /// The kind of view that shows the content: the wire's `type`.
    ///
    /// By default it follows from the type's name: `DeliveryCell` is `delivery`.
    var reuseIdentifier: String { get }

    /// Returns the size in a frame, both in points; nil by default, which leaves it to the client.
    func size(in frame: Size?) -> Size?

    /// What selecting the view does; nil by default, which makes it not selectable.
    var selection: Selection? { get }

    /// What else can be done with what is shown; empty by default.
    var actions: [OfferedAction] { get }
}

extension ViewContent {
    public var reuseIdentifier: String { ReuseIdentifiers.shared.identifier(of: Self.self) }

    @inlinable
    public func size(in frame: Size?) -> Size? { nil }

    @inlinable public var selection: Selection? { nil }

    @inlinable public var actions: [OfferedAction] { [] }
}

/// The content of one cell, under an id that stays the same while its content changes.
public protocol CellContent: ViewContent {
    /// The name of the cell within its screen, across sections, the same in every version.
    var id: String { get }
}

/// The type of cells or headers of a model that has none.
extension Never: CellContent {
    public var id: String { switch self {} }

    public static func fields(_ field: inout some FieldVisitor<Never>) {}
}

/// The reuse identifiers of types, derived from their names, each once.
///
/// Rendering asks for one with every cell, and the name of a type takes microseconds to read.
package final class ReuseIdentifiers: @unchecked Sendable {
    package static let shared = ReuseIdentifiers()

    private let lock = Lock()
    /// Under the lock.
    private var known: [ObjectIdentifier: String] = [:]

    package func identifier(of type: any ViewContent.Type) -> String {
        lock.withLock {
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
