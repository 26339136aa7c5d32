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

    /// All that `reuseIdentifier` may be, for descriptions. A type that states its `reuseIdentifier` states it here, too.
    static var reuseIdentifiers: [String] { get }

    /// The types of which a view of this type may be, for descriptions; nil where that is not known. By default the type itself;
    /// a ``ViewVariant`` that lists them is described by them.
    static var variants: [any ViewContent.Type]? { get }

    /// Returns the size in a frame, both in points; nil by default, which leaves it to the client.
    func size(in frame: Size?) -> Size?

    /// What selecting the view does; nil by default, which makes it not selectable.
    var selection: Selection? { get }

    /// What else can be done with what is shown; empty by default.
    var actions: [OfferedAction] { get }

    /// What a client shows instead that does not know the type; nil by default, which leaves it to the client.
    var fallback: Fallback? { get }

    /// Whether another view of this type is known to show the same, so that what was rendered of it stands for this one,
    /// too.
    ///
    /// By default what `==` says where the type is `Equatable`; so all that is shown has to count there. Where a
    /// type is not `Equatable`, or only under a condition, false: then it is rendered each time.
    func isKnownEqual(to other: Self) -> Bool

    /// Writes all fields of the view on the wire but its id: its type, what it declares, and what means the same
    /// everywhere.
    ///
    /// A requirement so that each type has one that the compiler specialised; it is not to be implemented.
    func writeMembers(to writer: inout JSONWriter, in frame: Size?)
}

extension ViewContent {
    public var reuseIdentifier: String { ReuseIdentifiers.shared.identifier(of: Self.self) }

    public static var reuseIdentifiers: [String] { [ReuseIdentifiers.shared.identifier(of: Self.self)] }

    public static var variants: [any ViewContent.Type]? { [Self.self] }

    @inlinable
    public func size(in frame: Size?) -> Size? { nil }

    @inlinable public var selection: Selection? { nil }

    @inlinable public var actions: [OfferedAction] { [] }

    @inlinable public var fallback: Fallback? { nil }

    @inlinable
    public func isKnownEqual(to other: Self) -> Bool { false }

    @inlinable
    public func writeMembers(to writer: inout JSONWriter, in frame: Size?) {
        writeMembersButFallback(to: &writer, in: frame)
        fallback?.write(to: &writer, in: frame)
    }

    @inlinable
    package func writeMembersButFallback(to writer: inout JSONWriter, in frame: Size?) {
        writer.field("type", reuseIdentifier)
        writeFields(to: &writer)
        writer.field("size", size(in: frame))
        let selection = selection
        writer.field("action", selection?.action)
        let actions = actions
        if !actions.isEmpty { writer.field("actions", actions) }
        writer.field("link", selection?.link)
    }
}

extension ViewContent where Self: Equatable {
    @inlinable
    public func isKnownEqual(to other: Self) -> Bool { self == other }
}

/// The content of one cell, under an id that stays the same while its content changes.
public protocol CellContent: ViewContent {
    /// The name of the cell within its screen, across sections, the same in every version.
    var id: String { get }

    /// How many cells of a list, from one on, are known to equal as many of another.
    ///
    /// A requirement so that each type has one that the compiler specialised; it is not to be implemented.
    static func countEqual(_ cells: [Self], from start: Int, _ others: [Self], from otherStart: Int) -> Int
}

extension CellContent {
    @inlinable
    public static func countEqual(_ cells: [Self], from start: Int, _ others: [Self], from otherStart: Int) -> Int {
        let most = min(cells.count - start, others.count - otherStart)
        var count = 0
        while count < most, cells[start + count].isKnownEqual(to: others[otherStart + count]) { count += 1 }
        return count
    }
}

/// The type of cells or headers of a model that has none.
extension Never: CellContent {
    public var id: String { switch self {} }

    public static var variants: [any ViewContent.Type]? { [] }

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
