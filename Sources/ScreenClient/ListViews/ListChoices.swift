import ScreenModel
import ScreenWire

/// Performs the actions and opens the links that the user selects in a list.
@MainActor
struct ListChoices {
    let screen: LiveScreen
    /// Opens a link to another screen.
    let open: (ScreenLink) -> Void
    /// Reports the failure of an action, or of a link to the same screen.
    let report: (any Error) -> Void
    /// Ends the editing of a field in the list. It is called before each effect, because the result would be held while a field is edited.
    var endEditing: @MainActor () -> Void = {}

    /// Performs the effect of selecting a cell or a view. A link to the same screen changes the parameters of the screen.
    ///
    /// - Parameter id: The id of the cell, or `nil` for a header, a footer or a supplementary view.
    @discardableResult
    func select(_ content: some ShownTraits, id: String?) -> Task<Void, Never>? {
        if content.selection != nil { endEditing() }
        switch content.selection {
        case .action(let action): return perform(action.name, action.input, id: id)
        case .link(let link) where link.screen == screen.name:
            let parameters = link.parameters.fields.map { ($0.key, Optional($0.value)) }
            return request { [screen] in try await screen.show(Dictionary(parameters) { $1 }) }
        case .link(let link): open(link)
        case nil: break
        }
        return nil
    }

    /// Performs an action that a cell or a view offers.
    @discardableResult
    func perform(_ name: String, _ input: OrderedFields<JSONValue>, id: String?) -> Task<Void, Never> {
        endEditing()
        let action = screen.action(name, cell: id)
        let members = input.fields.map { JSONValue.Member($0.key, $0.value) }
        return request { try await action(.object(members)) }
    }

    private func request(_ send: @escaping @MainActor () async throws -> Void) -> Task<Void, Never> {
        Task { [report] in
            do { try await send() } catch { report(error) }
        }
    }
}
