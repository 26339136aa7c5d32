public import ScreenModel
import ScreenWire

/// An action of a screen: a name, the fields of its input, and a handler.
///
/// Its input is decoded before its handler runs. The response is the change from the version that the client holds. An action is a
/// static value, to which the cells that offer it refer:
///
///     static let weigh = Action(
///         "weigh", title: Text("Weigh", fr: "Peser"), "Stores the weight of a delivery.", delivery, kilograms
///     ) { (screen: Deliveries, request, delivery, kilograms) in
///         try await screen.store.write { … }
///     }
public struct Action: Sendable {
    typealias Deed = @Sendable (ActionContext) async throws -> Void

    public let name: String
    /// The name that people read; nil for ``name``.
    public let title: Text?
    /// The effect of the action, in a sentence.
    public let summary: Text
    public let fields: [FieldDeclaration]
    /// Who may have it done, of those who may have its screen; nil for all of them.
    public private(set) var access: Access?
    /// The type of the screen that the handler takes; nil where it takes none.
    let owner: (any Screen.Type)?
    private let decode: @Sendable (JSONValue, any Screen) throws(InputFaults) -> Deed

    /// Creates an action whose handler is given the screen.
    ///
    /// - Parameters:
    ///   - name: its name in paths. Letters, digits and hyphens.
    ///   - title: the name that people read; nil for `name`.
    ///   - summary: the effect of the action, in a sentence.
    ///   - field: the fields of its input, in the order of the values that `perform` receives.
    ///   - perform: the handler, which takes effect in one transaction. It throws ``BrokenRules`` or ``ScreenError`` for
    ///     what the client can mend, from within that transaction, so that nothing is half done.
    public init<Owner: Screen, each Value: Sendable>(
        _ name: String, title: Text? = nil, _ summary: Text, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (Owner, ActionContext, repeat each Value) async throws -> Void
    ) {
        self.init(name, title, summary, of: Owner.self, repeat each field) { screen, request, values in
            // A catalog takes no action of another screen.
            try await perform(screen as! Owner, request, repeat each values)
        }
    }

    /// Creates an action whose handler has all that it needs.
    ///
    /// The parameters are those of the other initializer.
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

    /// Returns the name that people read, in the language of a locale.
    public func title(in locale: ScreenLocale) -> String {
        title?.in(locale) ?? name
    }

    /// The same action for some of those only who may have its screen.
    public func access(_ access: Access) -> Action {
        var action = self
        action.access = access
        return action
    }

    /// - Parameters:
    ///   - input: an object; what it has beside the fields is ignored.
    ///   - screen: the screen that lists the action.
    func deed(for input: JSONValue, on screen: any Screen) throws(InputFaults) -> Deed {
        try decode(input, screen)
    }

    /// Writes it for a list of screens, in a language.
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

extension ScreenAction {
    /// Creates a reference to an action of the screen, for a cell.
    public init(_ action: Action, input: OrderedFields<JSONValue> = [:]) {
        self.init(action.name, input: input)
    }
}

extension OfferedAction {
    /// Creates a reference to an action of the screen, with its title, for a cell.
    public init(
        _ action: Action, in locale: ScreenLocale, input: OrderedFields<JSONValue> = [:], isDisabled: Bool = false,
        isDestructive: Bool = false
    ) {
        self.init(action.name, title: action.title(in: locale), input: input, isDisabled: isDisabled, isDestructive: isDestructive)
    }
}
