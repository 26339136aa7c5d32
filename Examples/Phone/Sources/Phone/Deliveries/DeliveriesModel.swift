import Observation
import ScreenClient

/// The view model of a contract with its deliveries.
///
/// A view shows the properties of the model. While the view is visible, it runs `follow()` in a task.
@MainActor @Observable
public final class DeliveriesModel {
    let screen: LiveScreen
    /// The text of the alert to show, or `nil`.
    public var alert: String?
    private let actions: ScreenActions

    init(screen: LiveScreen) {
        self.screen = screen
        actions = ScreenActions(screen)
    }

    /// Keeps the list current until the task is cancelled.
    public func follow() async {
        await actions.findUndecided()
        await screen.follow()
    }

    // MARK: What the list shows

    public var title: String { screen.model.title ?? "" }
    public var banner: Banner? { screen.banner }
    public var hasContent: Bool { screen.hasContent }

    /// The properties of the contract.
    public var contract: [ContractCell] {
        screen.model.sections.flatMap(\.cells).compactMap { $0.value(as: ContractCell.self) }
    }

    public var days: [Day] {
        screen.model.sections.compactMap { section in
            section.header?.value(as: DayHeader.self).map { header in
                Day(id: section.id, header: header, deliveries: section.cells.compactMap { $0.value(as: DeliveryCell.self) })
            }
        }
    }

    public struct Day: Identifiable, Hashable {
        public let id: String
        public let header: DayHeader
        public let deliveries: [DeliveryCell]
    }

    // MARK: What the user can do

    /// The attempts of actions whose outcome is not known.
    public var undecided: [ActionAttempt] { actions.undecided }

    /// Returns the form in which the user enters the weight of a delivery.
    public func weighing(_ delivery: DeliveryCell) -> WeighingForm {
        WeighingForm(delivery, screen.action("weigh", cell: delivery.id), actions)
    }

    /// Adds a delivery.
    ///
    /// - Parameter day: A day such as `2018-07-12`.
    public func schedule(kilograms: Int, on day: String) async {
        show(
            await actions.perform { () throws(ActionError) in
                try await screen.action("schedule")(["day": .string(day), "kilograms": .int(kilograms)])
            })
    }

    /// Repeats an action whose outcome is not known. The server performs the action at most once.
    public func sendAgain(_ attempt: ActionAttempt) async {
        show(await actions.sendAgain(attempt))
    }

    /// Removes the attempt of an action whose outcome is not known.
    public func discard(_ attempt: ActionAttempt) async {
        await actions.discard(attempt)
    }

    private func show(_ error: ActionError?) {
        if let error { alert = error.fieldErrors?.values.joined().first ?? error.alert }
    }
}
