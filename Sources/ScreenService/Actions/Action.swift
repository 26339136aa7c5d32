import ScreenModel
import ScreenWire

/// Something that a client can have done on a screen: a name, the fields of its input, and the deed.
///
/// Its input is decoded before anything is done; the client is then answered with what changed from
/// the version that it holds.
///
///     Action("weigh", "Says what a delivery weighs.", Self.delivery, Self.kilograms) { request, delivery, kilograms in
///         try await store.write { … }
///     }
public struct Action: Sendable {
    typealias Deed = @Sendable (ActionContext) async throws -> Void

    public let name: String
    /// What it does, in a sentence for developers.
    public let summary: String
    public let fields: [FieldDeclaration]
    /// Who may have it done, of those who may have its screen; nil for all of them.
    public private(set) var access: Access?
    private var title: (@Sendable (ScreenLocale) -> String)?
    private var said: (@Sendable (ScreenLocale) -> String)?
    private let decode: @Sendable (JSONValue) throws(InputFaults) -> Deed

    /// - Parameters:
    ///   - name: its name in paths. Letters, digits and hyphens.
    ///   - summary: what it does, in a sentence.
    ///   - field: what its input has, in the order of the values that `perform` receives.
    ///   - perform: does it, in one transaction. It throws ``BrokenRules`` or ``ScreenError`` for
    ///     what the client can mend, from within that transaction, so that nothing is half done.
    public init<each Value: Sendable>(
        _ name: String, _ summary: String, _ field: repeat Field<each Value>,
        perform: @escaping @Sendable (ActionContext, repeat each Value) async throws -> Void
    ) {
        self.name = name
        self.summary = summary
        var fields: [FieldDeclaration] = []
        repeat fields.append((each field).declaration)
        self.fields = fields
        decode = { input throws(InputFaults) in
            var faults: [InputFault] = []
            func value<Read>(of field: Field<Read>) -> Read? {
                do { return try field.value(in: input) } catch {
                    faults.append(error)
                    return nil
                }
            }
            let values = (repeat value(of: each field))
            guard faults.isEmpty else { throw InputFaults(faults: faults) }
            return { request in try await perform(request, repeat (each values)!) }
        }
    }

    /// The same action with what people read of it: its title, and what it does, in each language. Without it they read its
    /// name and its summary.
    public func texts(
        title: @escaping @Sendable (ScreenLocale) -> String, summary: (@Sendable (ScreenLocale) -> String)? = nil
    ) -> Action {
        var action = self
        action.title = title
        action.said = summary
        return action
    }

    /// The same action for some of those only who may have its screen.
    public func access(_ access: Access) -> Action {
        var action = self
        action.access = access
        return action
    }

    /// - Parameter input: an object; what it has beside the fields is ignored.
    func deed(for input: JSONValue) throws(InputFaults) -> Deed {
        try decode(input)
    }

    /// Writes it for a list of screens, in a language.
    func writeFields(to content: inout JSONWriter, in locale: ScreenLocale) {
        content.field("name", name)
        if let title { content.field("title", title(locale)) }
        content.field("description", said?(locale) ?? summary)
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
