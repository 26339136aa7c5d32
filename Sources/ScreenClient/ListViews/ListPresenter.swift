import ScreenModel
import ScreenWire

/// Shows a screen in a list view, and performs the actions and opens the links that the user selects. The classes for Apple's list views
/// only translate calls between the views and this class.
@MainActor
final class ListPresenter: BindableDataSource {
    let screen: LiveScreen
    /// The sections that the view shows.
    private(set) var sections = ListModel.Sections()
    private(set) var held = HeldChanges()
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    /// Performs a change on the view. The second parameter is a function that sets ``sections``.
    var perform: (ListUpdate, (ListModel.Sections) -> Void) -> Void = { $1($0.model.sections) }
    /// Opens a link to another screen.
    var open: (ScreenLink) -> Void = { _ in }
    /// Reports the failure of an action, or of a link to the same screen.
    var report: (any Error) -> Void = { _ in }

    init(_ screen: LiveScreen) {
        self.screen = screen
        start = clock.now
    }

    func show(_ update: ListUpdate, animated: Bool) {
        if animated {
            show(held.take(update, at: clock.now - start))
        } else {
            _ = held.release()
            show(update)
        }
    }

    private func show(_ update: ListUpdate?) {
        guard let update else { return }
        perform(update) { sections = $0 }
    }

    /// Holds changes for a reason, until the reason ends.
    func begin(_ reason: HeldChanges.Reason) { held.begin(reason) }

    /// Ends a reason to hold changes.
    func end(_ reason: HeldChanges.Reason) { show(held.end(reason)) }

    /// Performs the effect of selecting a cell. A link to the same screen changes the parameters of the screen.
    @discardableResult
    func select(_ cell: ListModel.Cell) -> Task<Void, Never>? {
        switch cell.selection {
        case .action(let action): return perform(action.name, action.input, of: cell)
        case .link(let link) where link.screen == screen.name:
            let parameters = link.parameters.fields.map { ($0.key, Optional($0.value)) }
            return request { [screen] in try await screen.show(Dictionary(parameters) { $1 }) }
        case .link(let link): open(link)
        case nil: break
        }
        return nil
    }

    /// Performs an action that a cell offers.
    @discardableResult
    func perform(_ name: String, _ input: OrderedFields<JSONValue>, of cell: ListModel.Cell) -> Task<Void, Never> {
        let action = screen.action(name, cell: cell.id)
        let members = input.fields.map { JSONValue.Member($0.key, $0.value) }
        return request { try await action(.object(members)) }
    }

    /// Runs a request of the user. While the request is in progress, changes are not held.
    private func request(_ send: @escaping @MainActor () async throws -> Void) -> Task<Void, Never> {
        show(held.beginRequest())
        return Task {
            do { try await send() } catch { report(error) }
            held.endRequest(at: clock.now - start)
        }
    }
}
