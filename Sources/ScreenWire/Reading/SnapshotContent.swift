public import ScreenModel

/// A cell or a view of a snapshot, with the properties that cells and views have in common.
///
/// The properties are read from ``content``. A member of this JSON object that has an invalid form is treated as absent.
public protocol SnapshotContent: Sendable {
    /// The type. It determines the kind of view that a client shows.
    var type: String { get }
    /// The JSON object that represents the cell or the view.
    var content: JSONValue { get }
}

extension SnapshotContent {
    /// The size in points, or `nil` if the client decides the size.
    public var size: Size? { content["size"].flatMap(Size.init) }

    /// The action that is performed when the view is selected, or `nil` if there is no such action.
    public var action: ScreenAction? { content["action"].flatMap(ScreenAction.init) }

    /// The actions that the view offers in addition to `action`.
    public var actions: [OfferedAction] {
        guard case .array(let actions) = content["actions"] else { return [] }
        return actions.compactMap(OfferedAction.init)
    }

    /// The screen that opens when the view is selected, or `nil` if there is no such screen.
    public var link: ScreenLink? { content["link"].flatMap(ScreenLink.init) }

    /// A Boolean value that indicates whether the view has an action or a link.
    public var isSelectable: Bool { action != nil || link != nil }

    /// The replacement that a client shows if it does not know the type, or `nil` if there is no replacement.
    public var fallback: SnapshotTree.Fallback? {
        switch content["fallback"] {
        case nil: nil
        case .null: .nothing
        case let view?:
            if case .string(let type) = view["type"] { .view(SnapshotTree.View(type: type, content: view)) } else { nil }
        }
    }
}

extension SnapshotTree {
    /// The replacement for a cell or a view whose type a client does not know.
    public enum Fallback: Sendable {
        /// The client shows nothing. A cell that is not shown is still counted in the indices of cells.
        case nothing
        /// A view that the client shows instead. If it is shown instead of a cell, the id of the cell does not change.
        case view(View)
    }
}

extension Size {
    /// Creates the size that a JSON value represents, or returns `nil` if the value is not a size.
    public init?(_ json: JSONValue) {
        guard let height = json["height"]?.finiteNumber else { return nil }
        self.init(width: json["width"]?.finiteNumber, height: height)
    }
}

extension ScreenAction {
    /// Creates the action that a JSON value represents, or returns `nil` if the value is not an action. Numbers keep their digits.
    public init?(_ json: JSONValue) {
        guard case .string(let name) = json["name"], let input = OrderedFields(input: json["input"]) else { return nil }
        self.init(name, input: input)
    }
}

extension OfferedAction {
    /// Creates the action that a JSON value represents, or returns `nil` if the value is not an action. Numbers keep their digits.
    public init?(_ json: JSONValue) {
        guard case .string(let name) = json["name"], case .string(let title) = json["title"],
            let input = OrderedFields(input: json["input"])
        else { return nil }
        self.init(
            name, title: title, input: input, isDisabled: json["disabled"] == .bool(true), isDestructive: json["destructive"] == .bool(true)
        )
    }
}

extension ScreenLink {
    /// Creates the link that a JSON value represents, or returns `nil` if the value is not a link.
    public init?(_ json: JSONValue) {
        guard case .string(let screen) = json["screen"], let values = OrderedFields(input: json["parameters"]) else { return nil }
        var parameters: OrderedFields<String> = [:]
        for (name, value) in values.fields {
            guard case .string(let text) = value else { return nil }
            parameters[name] = text
        }
        self.init(screen, parameters: parameters)
    }
}

extension OrderedFields<JSONValue> {
    /// Creates the fields of an input. An input that is absent or null has no fields. Returns `nil` if the input is a string, number,
    /// Boolean value or array.
    fileprivate init?(input: JSONValue?) {
        switch input {
        case nil, .null: self = [:]
        case .object(let members): self.init(members.map { ($0.name, $0.value) })
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate var finiteNumber: Double? {
        guard case .number(let digits) = self, let number = Double(digits), number.isFinite else { return nil }
        return number
    }
}
