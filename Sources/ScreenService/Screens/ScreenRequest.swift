/// What a screen computes from: for whom, for which revision, in which language, with which parameters.
public struct ScreenRequest: Sendable {
    public let audience: Audience
    /// One of the screen's `revisions`: what the client was built for.
    public let revision: Int
    public let locale: ScreenLocale
    private let parameters: [String: String]

    init(view: ScreenView) {
        audience = view.audience
        revision = view.revision
        locale = view.locale
        parameters = Dictionary(uniqueKeysWithValues: view.parameters.map { ($0.name, $0.value) })
    }

    /// The user whose screen it is.
    ///
    /// - Throws: ``AudienceMismatch`` in a screen that is for everyone: there it would leak to others.
    public var user: String {
        get throws(AudienceMismatch) {
            guard case .user(let name) = audience else { throw AudienceMismatch() }
            return name
        }
    }

    /// The value of a parameter that the screen declares.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        parameter.value(of: parameters[parameter.name])
    }
}

/// A screen for everyone asked who the user is: a mistake of its author.
public struct AudienceMismatch: Error, Hashable {}
