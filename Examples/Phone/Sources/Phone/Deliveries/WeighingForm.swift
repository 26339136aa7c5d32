import Observation
import ScreenClient

/// The model of a form in which the user enters the weight of a delivery.
@MainActor @Observable
public final class WeighingForm {
    public let delivery: DeliveryCell
    /// The text in the field for the weight.
    public var kilograms: String
    /// The errors below the text field.
    public private(set) var errors: [String] = []
    /// The text of the alert to show, or `nil`.
    public var alert: String?
    /// A Boolean value that indicates whether the server accepted the weight. The form closes when the value becomes true.
    public private(set) var isDone = false
    private let weigh: LiveAction
    private let actions: ScreenActions

    init(_ delivery: DeliveryCell, _ weigh: LiveAction, _ actions: ScreenActions) {
        self.delivery = delivery
        self.weigh = weigh
        self.actions = actions
        kilograms = String(delivery.kilograms)
    }

    /// A Boolean value that indicates whether the form shows a spinner.
    public var isSending: Bool { weigh.isExecuting }
    /// A Boolean value that indicates whether the button can be used.
    public var canSend: Bool { weigh.isEnabled && Int(kilograms) != nil }

    public func send() async {
        guard let weight = Int(kilograms) else { return }
        (errors, alert) = ([], nil)
        let error = await actions.perform { () throws(ActionError) in
            try await weigh(["delivery": .string(delivery.id), "kilograms": .int(weight)])
        }
        isDone = error == nil
        errors = error?.fieldErrors?["kilograms"] ?? []
        alert = error?.alert
    }
}

extension ActionError {
    /// The errors of the input, by the name of the field. The value is `nil` if the input is not the cause of the failure.
    var fieldErrors: [String: [String]]? {
        if case .invalid(let problem) = self { problem.fieldErrors } else { nil }
    }
}
