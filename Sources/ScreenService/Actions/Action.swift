public import ScreenModel
import ScreenWire

/// An action of a screen. It has a name, the fields of its input, and a handler.
///
/// The input is decoded before the handler runs. The response contains the changes since the client's version. Declare an action as a
/// static value, so that cells can refer to it:
///
///     static let weigh = Action(
///         "weigh", title: Text("Weigh", fr: "Peser"), "Stores the weight of a delivery.", delivery, kilograms
///     ) { (screen: Deliveries, request, delivery, kilograms) in
///         try await screen.store.write { … }
///     }
public struct Action: Sendable {
    typealias Handler = @Sendable (ActionContext) async throws -> Void

    public let name: String
    /// The displayed name, or `nil` to display ``name``.
    public let title: Text?
    /// A sentence that describes the effect of the action.
    public let summary: Text
    public let fields: [FieldDeclaration]
    /// The rule that callers must meet in addition to the access rule of the screen, or `nil` if there is no such rule.
    public private(set) var access: Access?
    /// The type of the screen that the handler receives, or `nil` if the handler does not receive a screen.
    let owner: (any Screen.Type)?
    private let decode: @Sendable (JSONValue, any Screen) throws(InputFaults) -> Handler

    /// Creates an action whose handler receives the screen.
    ///
    /// - Parameters:
    ///   - name: The name of the action in paths. It consists of letters, digits and hyphens.
    ///   - field: The fields of the input, in the order of the values that `perform` receives.
    ///   - perform: The handler. It should write in one transaction. It should throw ``BrokenRules`` and ``ScreenError`` within the
    ///     transaction, so that the transaction is rolled back.
    public init<Owner: Screen, each Value: Sendable>(
        _ name: String, title: Text? = nil, _ summary: Text, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (Owner, ActionContext, repeat each Value) async throws -> Void
    ) {
        self.init(name, title, summary, of: Owner.self, repeat each field) { screen, request, values in
            // The cast succeeds, because `ScreenCatalog` rejects an action whose handler is for another screen.
            try await perform(screen as! Owner, request, repeat each values)
        }
    }

    /// Creates an action whose handler does not need the screen.
    public init<each Value: Sendable>(
        _ name: String, title: Text? = nil, _ summary: Text, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (ActionContext, repeat each Value) async throws -> Void
    ) {
        self.init(name, title, summary, of: nil, repeat each field) { _, request, values in
            try await perform(request, repeat each values)
        }
    }

    private init<each Value: Sendable>(
        _ name: String, _ title: Text?, _ summary: Text, of owner: (any Screen.Type)?, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (any Screen, ActionContext, (repeat each Value)) async throws -> Void
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.owner = owner
        var fields: [FieldDeclaration] = []
        repeat fields.append((each field).declaration)
        self.fields = fields
        decode = { input, screen throws(InputFaults) in
            var faults: [InputFault] = []
            func value<Read>(of field: Field<Read>) -> Read? {
                do { return try field.value(in: input) } catch {
                    faults.append(error)
                    return nil
                }
            }
            let values = (repeat value(of: each field))
            guard faults.isEmpty else { throw InputFaults(faults: faults) }
            return { request in try await perform(screen, request, (repeat (each values)!)) }
        }
    }

    /// Returns the displayed name in the language of a locale.
    public func title(in locale: ScreenLocale) -> String {
        title?.in(locale) ?? name
    }

    /// Returns a copy of this action with an access rule that callers must meet in addition to the access rule of the screen.
    public func access(_ access: Access) -> Action {
        var action = self
        action.access = access
        return action
    }

    /// Decodes the input, and returns a function that calls the handler with the decoded values. Members of the input that are not fields
    /// of the action are ignored.
    func handler(for input: JSONValue, on screen: any Screen) throws(InputFaults) -> Handler {
        try decode(input, screen)
    }

    func writeFields(to content: inout JSONWriter, in locale: ScreenLocale) {
        content.field("name", name)
        if let title { content.field("title", title.in(locale)) }
        content.field("description", summary.in(locale))
        content.field("input", fields.map { FieldEntry(field: $0, locale: locale) })
    }

    private struct FieldEntry: ContentValue {
        let field: FieldDeclaration
        let locale: ScreenLocale

        func write(to writer: inout JSONWriter) {
            writer.writeObject { field.writeFields(to: &$0, in: locale) }
        }
    }
}

// The initializers are inlinable, because rendering calls them for each cell. Without inlining, each call would copy the whole action.
extension ScreenAction {
    /// Creates a reference to an action for a cell of the same screen.
    @inlinable
    public init(_ action: Action, input: OrderedFields<JSONValue> = [:]) {
        self.init(action.name, input: input)
    }
}

extension OfferedAction {
    /// Creates a reference to an action for a cell of the same screen. The reference has the title of the action.
    @inlinable
    public init(
        _ action: Action, in locale: ScreenLocale, input: OrderedFields<JSONValue> = [:], isDisabled: Bool = false,
        isDestructive: Bool = false
    ) {
        let title = action.title?.in(locale) ?? action.name
        self.init(action.name, title: title, input: input, isDisabled: isDisabled, isDestructive: isDestructive)
    }
}
