/// A value that a list view shows in a view of a certain type, such as a cell.
///
/// If the content of such a value changes but its reuse identifier stays the same, a list view keeps the view and only updates its content.
public protocol ReuseIdentifying {
    /// The type of the view that shows this value.
    var reuseIdentifier: String { get }
}

/// The content of one view on the screen: a cell, a header, a footer or a supplementary view.
///
/// A type declares its own fields. In addition, this protocol has properties and methods for the values that any view can have, such as a
/// size or a selection. In the JSON of all views, these values have the same keys. The properties and methods have default implementations.
/// A trait such as ``Sized`` or ``Selectable`` implements one of the properties and methods.
public protocol ViewContent: Content, ReuseIdentifying {
    /// The `type` on the wire, which tells the client the kind of view to show.
    ///
    /// The default is derived from the name of the Swift type: `DeliveryCell` becomes `delivery`.
    var reuseIdentifier: String { get }

    /// All values that `reuseIdentifier` can have. A type that implements `reuseIdentifier` must also implement this property.
    static var reuseIdentifiers: [String] { get }

    /// The concrete types of the view, or `nil` if they are not known. The default is the type itself, or `nil` for a ``ViewVariant``.
    static var variants: [any ViewContent.Type]? { get }

    /// Returns the size in points for the given frame, or `nil` if the client decides the size. The default is `nil`.
    func size(in frame: Size?) -> Size?

    /// The effect of selecting the view, or `nil` if the view cannot be selected. The default is `nil`.
    var selection: Selection? { get }

    /// The actions that the view offers in addition to its selection. Empty by default.
    var actions: [OfferedAction] { get }

    /// The replacement that clients show if they do not know the type. If it is `nil`, which is the default, each client decides how to
    /// show the content.
    var fallback: Fallback? { get }

    /// Returns a Boolean value that indicates whether `other` is known to show the same content. If the result is true, the bytes that were
    /// rendered for `other` are reused.
    ///
    /// The default is the result of `==`, which must therefore compare everything that is written. If the type is not `Equatable`, or only
    /// conditionally `Equatable`, the default is false, and the view is always rendered.
    func isKnownEqual(to other: Self) -> Bool

    /// Writes the type, the declared fields, and the keys that all views have in common.
    ///
    /// Do not implement this method. It is a requirement of the protocol so that the compiler specializes it for each type.
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
        var (action, actions) = (selection?.action, actions)
        if !writer.withheldActions.isEmpty { writer.removeWithheld(from: &action, &actions) }
        writer.field("action", action)
        if !actions.isEmpty { writer.field("actions", actions) }
        writer.field("link", selection?.link)
    }
}

extension JSONWriter {
    /// Removes the offers of withheld actions.
    @usableFromInline
    package func removeWithheld(from action: inout ScreenAction?, _ actions: inout [OfferedAction]) {
        if let name = action?.name, isWithheld(name) { action = nil }
        actions.removeAll { isWithheld($0.name) }
    }

    private func isWithheld(_ name: String) -> Bool {
        withheldActions.contains { $0.utf8.elementsEqual(name.utf8) }
    }
}

extension ViewContent where Self: Equatable {
    @inlinable
    public func isKnownEqual(to other: Self) -> Bool { self == other }
}

/// The content of one cell, with an id.
public protocol CellContent: ViewContent {
    /// The id of the cell. It is unique among all cells of the screen, and the same in every version.
    var id: String { get }

    /// Compares cells in pairs, beginning with `cells[start]` and `others[otherStart]`. Returns the number of pairs before the first pair
    /// that is not known to be equal.
    ///
    /// Do not implement this method. It is a requirement of the protocol so that the compiler specializes it for each type.
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

/// `Never` is the cell type of a model without cells, and the header type of a model without headers.
extension Never: CellContent {
    public var id: String { switch self {} }

    public static var variants: [any ViewContent.Type]? { [] }

    public static func fields(_ field: inout some FieldVisitor<Never>) {}
}

/// A cache of the reuse identifiers that are derived from the names of types. Reading the name of a type takes microseconds, and rendering
/// needs an identifier for every cell.
package final class ReuseIdentifiers: @unchecked Sendable {
    package static let shared = ReuseIdentifiers()

    private let lock = Lock()
    /// The cached identifiers by type. They are protected by `lock`.
    private var known: [ObjectIdentifier: String] = [:]

    package func identifier(of type: any ViewContent.Type) -> String {
        lock.withLock {
            if let identifier = known[ObjectIdentifier(type)] { return identifier }
            let identifier = Self.identifier(fromTypeName: String(describing: type))
            known[ObjectIdentifier(type)] = identifier
            return identifier
        }
    }

    /// Returns the reuse identifier for the name of a type, such as `urlPreview` for `URLPreviewCell<Int>`. Generic arguments and one
    /// suffix, such as `Cell`, are removed, and the first letter or acronym is lowercased.
    package static func identifier(fromTypeName name: String) -> String {
        let name = name.prefix { $0 != "<" }
        let suffix = ["Cell", "Header", "Footer", "View"].first { name.hasSuffix($0) && name != $0 }
        return loweringStart(of: name.dropLast(suffix?.count ?? 0))
    }

    private static func loweringStart(of name: Substring) -> String {
        let capitals = name.prefix(while: \.isUppercase)
        let rest = name[capitals.endIndex...]
        // The last of several capitals begins the next word, as the `P` in `URLPreview`.
        let startsWord = capitals.count > 1 && rest.first?.isLowercase == true
        let start = startsWord ? capitals.dropLast() : capitals
        return start.lowercased() + name[start.endIndex...]
    }
}
