import HTTPServer
import ScreenService

/// The parts of a request, except the body, that select a view and its version.
struct ViewRequest: Sendable {
    let view: ScreenView
    let traits: ResponseTraits
    let version: String?
    /// The last position that the client has seen; nil if the client sends none.
    let position: Position?
    let deadline: Deadline?

    /// Reads the view, the version and the position from a request. If the query has faults, the thrown error lists all of them.
    init(_ request: borrowing RoutedRequest, of service: ScreenService, acceptsJSON: Bool = true) throws {
        let (catalog, faults) = (service.catalog, request.query.faults)
        do {
            (view, traits) = try catalog.viewAndTraits(
                of: request.path.screen, parameters: request.query.parameters, revision: request.query.revision,
                locale: request.locale(of: catalog.locales), caller: request.context.caller
            )
        } catch .parameters(let ofScreen) {
            throw ViewFault.parameters(faults + ofScreen)
        }
        if !faults.isEmpty { throw ViewFault.parameters(faults) }
        if acceptsJSON { try request.requireJSON() }
        if !traits.isCompressible, !request.context.codings.acceptsIdentity { throw Problem.unacceptableForm("identity") }
        version = request.query.version
        position = if let tokens = service.positionTokens { request.position(by: tokens) } else { nil }
        deadline = request.context.deadline
    }
}

extension RoutedRequest {
    func locale(of locales: [ScreenLocale]) -> ScreenLocale {
        query.locale ?? Preferences.locale(acceptLanguage: headers.list(of: "Accept-Language"), of: locales)
    }

    /// Throws a problem if the client does not accept JSON.
    func requireJSON() throws(Problem) {
        guard let accept = headers.list(of: "Accept") else { return }
        guard !Preferences.accepts("application/json", accept: accept) else { return }
        throw Problem(kind: .notAcceptable, detail: "This is served as application/json; accept that, or */*.")
    }

    /// Throws a problem if `Content-Type` is not JSON. This protects against cross-site request forgery, because a form of a foreign web
    /// page cannot send this type (Fetch, section 2.2.2).
    func requireJSONBody() throws(Problem) {
        guard bodyType != "application/json" else { return }
        throw Problem(
            kind: .unsupportedMediaType,
            detail: "An action takes application/json; send that Content-Type, as curl does with --json instead of -d."
        )
    }

    /// Throws a problem if `Content-Type` is not the media type that a team's route takes.
    func requireBody(of type: String) throws(Problem) {
        guard bodyType != type.lowercased() else { return }
        throw Problem(kind: .unsupportedMediaType, detail: "This takes \(type); send that Content-Type.")
    }

    /// The media type of the body, in lower case and without parameters.
    private var bodyType: String? {
        let type = headers["Content-Type"]?.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return type.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    /// Returns the latest position in the query and the header fields. Texts that are not tokens of this service are ignored.
    fileprivate func position(by tokens: PositionTokens) -> Position? {
        var texts = PositionField.texts(in: headers)
        if let text = query.position { texts.append(text[...]) }
        return texts.compactMap { tokens.position(of: $0) }.max()
    }
}
