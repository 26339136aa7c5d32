import HTTPServer
import ScreenService

/// The routes of screens: the list of them, snapshots, changes and actions.
extension ScreenAPI {
    func screens(_ request: Request) throws -> Reply {
        let query = self.query(of: request)
        var faults = query.faults
        for name in (query.version == nil ? [] : ["version"]) + query.parameters.map(\.name) {
            faults.add(name, "The list of screens has no parameters besides locale.")
        }
        if !faults.isEmpty { throw faults }
        try requireJSON(request)
        let list = service.listing(in: locale(of: query, request))
        return .now(Self.answer(list, true, request.headers.list(of: "If-None-Match")))
    }

    func snapshot(of name: String, _ request: Request) throws -> Reply {
        let view = try view(of: name, query(of: request), mayNameVersion: false, request)
        let isShared = view.audience == .everyone
        let ifNoneMatch = request.headers.list(of: "If-None-Match")
        return reply(in: view.locale, service.snapshot(of: view)) { Self.answer($0, isShared, ifNoneMatch) }
    }

    private static func answer(_ document: Document, _ isShared: Bool, _ ifNoneMatch: String?) -> Answer {
        let responses = DocumentResponses.keepable(document, isShared: isShared)
        if let ifNoneMatch, let tag = responses.entityTag, let notModified = responses.notModified,
            Preferences.matches(ifNoneMatch: ifNoneMatch, tag: tag) {
            return .prepared(notModified)
        }
        return .prepared(responses.whole)
    }

    func changes(of name: String, _ request: Request) throws -> Reply {
        let query = self.query(of: request)
        if request.method == "POST" {
            let view = try view(of: name, query, mayNameVersion: false, request)
            return changes(of: view, from: try RequestBody.version(in: request.body))
        }
        let streams = Preferences.prefersEventStream(accept: request.headers.list(of: "Accept"))
        let view = try view(of: name, query, mayNameVersion: true, request, acceptsJSON: !streams)
        if streams { return stream(view, from: query.version, request) }
        if let seconds = Preferences.wait(prefer: request.headers.list(of: "Prefer")) {
            return wait(seconds, for: view, from: query.version)
        }
        return changes(of: view, from: query.version)
    }

    private func changes(of view: ScreenView, from version: String?) -> Reply {
        reply(in: view.locale, service.changes(of: view, from: version)) { .prepared(DocumentResponses.changes($0).whole) }
    }

    /// Has an action performed; its client sees what it did in the answer.
    func perform(_ action: String, of name: String, _ request: Request) throws -> Reply {
        let view = try view(of: name, query(of: request), mayNameVersion: false, request)
        try requireJSONBody(request)
        let body = try RequestBody.action(in: request.body)
        let asked = ActionRequest(
            action: action, user: user, version: body.version, input: body.input,
            idempotencyKey: try IdempotencyKey.read(from: request.headers)
        )
        return later(in: view.locale) {
            .prepared(DocumentResponses.changes(try await self.service.perform(asked, on: view)).whole)
        }
    }

    /// A form of a web page elsewhere can send any body, but none of this type (Fetch, section 2.2.2).
    private func requireJSONBody(_ request: Request) throws(Problem) {
        let type = request.headers["Content-Type"]?.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard type.map({ String(decoding: $0, as: UTF8.self).lowercased() }) != "application/json" else { return }
        throw Problem(
            kind: .unsupportedMediaType,
            detail: "An action takes application/json; send that Content-Type, as curl does with --json instead of -d."
        )
    }

    /// - Throws: that there is no such screen, or all faults of the query at once.
    private func view(
        of name: String, _ query: Query, mayNameVersion: Bool, _ request: Request, acceptsJSON: Bool = true
    ) throws -> ScreenView {
        let locale = self.locale(of: query, request)
        var faults = query.faults
        if !mayNameVersion, query.version != nil {
            faults.ofScreen.append(ParameterFault(name: "version", cause: .misplaced))
        }
        do {
            let view = try service.catalog.view(of: name, parameters: query.parameters, locale: locale, user: user)
            if !faults.isEmpty { throw faults }
            if acceptsJSON { try requireJSON(request) }
            return view
        } catch ViewFault.parameters(let ofScreen) {
            faults.ofScreen += ofScreen
            throw faults
        }
    }

    private func query(of request: Request) -> Query {
        Query(request.query, locales: service.catalog.locales)
    }

    private func locale(of query: Query, _ request: Request) -> ScreenLocale {
        query.locale ?? Preferences.locale(
            acceptLanguage: request.headers.list(of: "Accept-Language"), of: service.catalog.locales
        )
    }

    private func requireJSON(_ request: Request) throws(Problem) {
        guard let accept = request.headers.list(of: "Accept") else { return }
        guard !Preferences.accepts("application/json", accept: accept) else { return }
        throw Problem(kind: .notAcceptable, detail: "This is served as application/json; accept that, or */*.")
    }

    /// Sends a document: at once, where it is at hand.
    private func reply(
        in locale: ScreenLocale, _ document: Eventual<Document>, _ answer: @escaping @Sendable (Document) -> Answer
    ) -> Reply {
        switch document {
        case .now(let document): .now(answer(document))
        case .later(let work): later(in: locale) { answer(try await work()) }
        }
    }

    /// - Parameter locale: the language in which a screen may say what is wrong.
    func later(in locale: ScreenLocale? = nil, _ answer: @escaping @Sendable () async throws -> Answer) -> Reply {
        .later(answering(in: locale, answer))
    }

    /// The same work, with the response to an error for an answer.
    func answering(
        in locale: ScreenLocale?, _ answer: @escaping @Sendable () async throws -> Answer
    ) -> @Sendable () async -> Answer {
        { do { return try await answer() } catch { return .response(self.response(to: error, in: locale)) } }
    }
}
