import HTTPServer
import ScreenService

/// Everything that a request says of a view, except its body. It is read once, then the service is called with it.
struct ViewRequest: Sendable {
    let view: ScreenView
    /// The version in the query; nil where it has none.
    let version: String?
    /// The last position that the client has seen; nil where it says none.
    let position: Position?
    let deadline: Deadline?

    /// - Throws: that there is no such screen, that it needs a user, all faults of the query at once, or that the client does not
    ///   accept JSON.
    init(_ request: borrowing RoutedRequest, of service: ScreenService, acceptsJSON: Bool = true) throws {
        view = try Self.view(of: request, in: service.catalog)
        if acceptsJSON { try request.requireJSON() }
        version = request.query.version
        position = if let tokens = service.positionTokens { request.position(by: tokens) } else { nil }
        deadline = request.context.deadline
    }

    private static func view(of request: borrowing RoutedRequest, in catalog: ScreenCatalog) throws -> ScreenView {
        let faults = request.query.faults
        let view: ScreenView
        do {
            view = try catalog.view(
                of: request.path.screen, parameters: request.query.parameters, revision: request.query.revision,
                locale: request.locale(of: catalog.locales), caller: request.context.caller
            )
        } catch .parameters(let ofScreen) {
            throw ViewFault.parameters(faults + ofScreen)
        }
        if !faults.isEmpty { throw ViewFault.parameters(faults) }
        return view
    }
}

extension RoutedRequest {
    func locale(of locales: [ScreenLocale]) -> ScreenLocale {
        query.locale ?? Preferences.locale(acceptLanguage: headers.list(of: "Accept-Language"), of: locales)
    }

    /// - Throws: that the client does not take it.
    func requireJSON() throws(Problem) {
        guard let accept = headers.list(of: "Accept") else { return }
        guard !Preferences.accepts("application/json", accept: accept) else { return }
        throw Problem(kind: .notAcceptable, detail: "This is served as application/json; accept that, or */*.")
    }

    /// A form of a web page elsewhere can send any body, but none of this type (Fetch, section 2.2.2).
    func requireJSONBody() throws(Problem) {
        let type = headers["Content-Type"]?.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard type.map({ String(decoding: $0, as: UTF8.self).lowercased() }) != "application/json" else { return }
        throw Problem(
            kind: .unsupportedMediaType,
            detail: "An action takes application/json; send that Content-Type, as curl does with --json instead of -d."
        )
    }

    /// Returns the last position in the query or in fields; nil where there is none. Texts that are not tokens of this service are ignored.
    fileprivate func position(by tokens: PositionTokens) -> Position? {
        var texts = PositionField.texts(in: headers)
        if let text = query.position { texts.append(text[...]) }
        return texts.compactMap { tokens.position(of: $0) }.max()
    }
}
