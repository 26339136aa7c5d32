import Observation
import ScreenClient

/// The view model of a contract with its deliveries.
///
/// A view shows the properties of the model. While the view is visible, it runs `follow()` in a task.
@MainActor @Observable
public final class DeliveriesModel {
    let screen: LiveScreen
    /// The attempts of actions whose outcome is not known. The outcome is not known if, for example, an earlier process of the app sent the
    /// request and ended before the response arrived.
    public private(set) var undecided: [ActionAttempt] = []
    /// The text of the alert to show, or `nil`.
    public var alert: String?

    init(screen: LiveScreen) {
        self.screen = screen
    }

    /// Keeps the list current until the task is cancelled.
    public func follow() async {
        await findUndecided()
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

    /// Returns the form in which the user enters the weight of a delivery.
    public func weighing(_ delivery: DeliveryCell) -> WeighingForm {
        WeighingForm(delivery, screen.action("weigh", cell: delivery.id))
    }

    /// Adds a delivery.
    ///
    /// - Parameter day: A day such as `2018-07-12`.
    public func schedule(kilograms: Int, on day: String) async {
        await perform { () throws(ActionError) in
            try await screen.action("schedule")(["day": .string(day), "kilograms": .int(kilograms)])
        }
    }

    /// Repeats an action whose outcome is not known. The server performs the action at most once.
    public func sendAgain(_ attempt: ActionAttempt) async {
        await perform { () throws(ActionError) in try await screen.retry(attempt) }
    }

    /// Removes the attempt of an action whose outcome is not known.
    public func discard(_ attempt: ActionAttempt) async {
        await screen.discard(attempt)
        await findUndecided()
    }

    private func perform(_ action: () async throws(ActionError) -> Void) async {
        do throws(ActionError) {
            try await action()
        } catch {
            alert = error.fieldErrors?.values.joined().first ?? error.alert
        }
        await findUndecided()
    }

    private func findUndecided() async {
        undecided = await screen.undecided()
    }
}
