/// A request for the content of a screen.
public struct ScreenRequest: Sendable {
    /// The caller that the content is computed for.
    public let audience: Audience
    /// The revision of the screen that the client was built for.
    public let revision: Int
    public let locale: ScreenLocale
    private let parameters: [String: String]

    init(view: ScreenView) {
        audience = view.audience
        revision = view.revision
        locale = view.locale
        parameters = Dictionary(uniqueKeysWithValues: view.parameters.map { ($0.name, $0.value) })
    }

    /// The id of the user that the content is computed for. Throws ``AudienceMismatch`` if the screen is for everyone.
    public var user: String {
        get throws(AudienceMismatch) {
            guard case .user(let name) = audience else { throw AudienceMismatch() }
            return name
        }
    }

    /// The value of a parameter, or its default value.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        parameter.value(of: parameters[parameter.name])
    }
}

/// An error that is thrown if a screen for everyone reads the user.
public struct AudienceMismatch: Error, Hashable {}
