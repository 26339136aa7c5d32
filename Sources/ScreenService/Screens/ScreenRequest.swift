/// Is what a screen computes from: for whom, in which language, with which parameters.
public struct ScreenRequest: Sendable {
    /// The user, for a screen that each user has their own of; nil where it is for everyone.
    public let user: String?
    public let locale: ScreenLocale
    private let parameters: [String: String]

    init(view: ScreenView) {
        user = if case .user(let name) = view.audience { name } else { nil }
        locale = view.locale
        parameters = Dictionary(uniqueKeysWithValues: view.parameters.map { ($0.name, $0.value) })
    }

    /// The value of a parameter that the screen declares.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        parameter.value(of: parameters[parameter.name])
    }
}
