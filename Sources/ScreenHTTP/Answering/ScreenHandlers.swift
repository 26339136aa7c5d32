import HTTPServer
import ScreenService
import ScreenWire

/// The handlers of requests about screens: the list of screens, snapshots, changes and actions.
struct ScreenHandlers: Sendable {
    static let eventStreamType = "text/event-stream"

    let service: ScreenService
    /// The number of seconds for which shared caches may use a response without revalidation, or 0 if they may not.
    let sharedCacheSeconds: Int
    /// Returns the time in milliseconds for the `retry` field of a stream.
    let retry: @Sendable () -> Int
    let eventMetrics: EventMetrics

    func list(_ request: borrowing RoutedRequest) throws -> Reply {
        try request.requireJSON()
        let (locale, caller) = (request.locale(of: service.catalog.locales), request.context.caller)
        let document = service.listing(in: locale, for: caller, within: request.context.deadline)
        return Self.reply(with: document, in: locale, Self.form(ofServiceDocument: request))
    }

    /// Replies with the OpenAPI document of the screens and actions that the caller may use.
    func description(
        _ request: borrowing RoutedRequest, beside routes: [String], _ describe: @escaping @Sendable (Offering) -> [UInt8]
    ) throws -> Reply {
        try request.requireJSON()
        let document = service.description(for: request.context.caller, beside: routes, describe)
        return Self.reply(with: document, in: service.catalog.locales[0], Self.form(ofServiceDocument: request))
    }

    private static func form(ofServiceDocument request: borrowing RoutedRequest) -> DocumentForm {
        let terms = CacheTerms.revalidated(isShared: request.context.caller.user == nil, request.context.varyFields)
        return DocumentForm(terms, comparing: request)
    }

    func snapshot(_ request: borrowing RoutedRequest) throws -> Reply {
        let viewRequest = try ViewRequest(request, of: service)
        let form = DocumentForm(snapshotTerms(of: viewRequest, request), comparing: request)
        let snapshot = service.snapshot(of: viewRequest.view, at: viewRequest.position, within: viewRequest.deadline)
        return Self.reply(with: snapshot, in: viewRequest.view.locale, form)
    }

    private func snapshotTerms(of viewRequest: ViewRequest, _ request: borrowing RoutedRequest) -> CacheTerms {
        Self.compressible(viewRequest, storingTerms(of: viewRequest, request))
    }

    private func storingTerms(of viewRequest: ViewRequest, _ request: borrowing RoutedRequest) -> CacheTerms {
        if viewRequest.position != nil { return .notStored(request.context.varyFields) }
        let isShared = Self.isShared(viewRequest, request)
        if isShared, let terms = sharedTerms(ofChanges: false, request) { return terms }
        return .revalidated(isShared: isShared, request.context.varyFields)
    }

    /// Returns the terms of a document, which forbid to encode it if the documents of its screen must not be compressed.
    private static func compressible(_ viewRequest: ViewRequest, _ terms: CacheTerms) -> CacheTerms {
        var terms = terms
        terms.isEncodable = viewRequest.traits.isCompressible
        return terms
    }

    private static func notStored(_ viewRequest: ViewRequest, _ request: borrowing RoutedRequest) -> DocumentForm {
        DocumentForm(compressible(viewRequest, .notStored(request.context.varyFields)))
    }

    /// Returns a Boolean value that indicates whether the response to a request may be sent to other callers.
    private static func isShared(_ viewRequest: ViewRequest, _ request: borrowing RoutedRequest) -> Bool {
        viewRequest.traits.isShared && request.headers["Authorization"] == nil
    }

    /// Returns cache terms that let shared caches use a response without revalidation; nil if the server allows no such use.
    private func sharedTerms(ofChanges: Bool, _ request: borrowing RoutedRequest) -> CacheTerms? {
        guard sharedCacheSeconds > 0 else { return nil }
        let isNegotiated = request.query.locale == nil && service.catalog.locales.count > 1
        // A cached response may be older than the position that a client sends, so `Vary` names the field of the position.
        let fields = request.context.varyFields + (service.positionTokens == nil ? [] : [PositionField.name])
        let negotiatedFields = CacheTerms.sharedNegotiatedFields(ofChanges: ofChanges, isLanguageNegotiated: isNegotiated)
        return CacheTerms(sharedFor: sharedCacheSeconds, negotiatedFields: negotiatedFields, varyFields: fields)
    }

    func source(_ request: borrowing RoutedRequest) throws -> Reply {
        guard let source = try service.catalog.source(of: request.path.screen, for: request.context.caller) else {
            throw Problem(kind: .notFound, detail: "There is no source of such a screen here. The screens are listed at /screens.")
        }
        var headers: Headers = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff",
        ]
        headers.append("Vary", (["Accept-Encoding"] + request.context.varyFields).joined(separator: ", "))
        return .response(Response(headers: headers, body: source))
    }

    func postedChanges(_ request: borrowing RoutedRequest) throws -> Reply {
        let viewRequest = try ViewRequest(request, of: service)
        let form = Self.notStored(viewRequest, request)
        return .reading(countedFor: request.context.limitKey) { body in
            let body = try body.get()
            guard body.count > Self.inlineBodyLimit else { return changes(viewRequest, from: try RequestBody.version(in: body), form) }
            let work: @Sendable () async throws -> Document = { [service] in
                let version = try RequestBody.version(in: body)
                return try await service.changes(
                    of: viewRequest.view, from: version, at: viewRequest.position, within: viewRequest.deadline
                ).value
            }
            return Self.reply(with: .later(work), in: viewRequest.view.locale, form)
        }
    }

    /// The maximum size in bytes of a body that is parsed on the event loop. A body with just a version has about a hundred bytes.
    static let inlineBodyLimit = 16 << 10

    /// Replies with the changes since the version in the query: at once, after the next change, or as a stream.
    func changes(_ request: borrowing RoutedRequest) throws -> Reply {
        let streams = Preferences.prefersEventStream(accept: request.headers.list(of: "Accept"))
        let viewRequest = try ViewRequest(request, of: service, acceptsJSON: !streams)
        if streams { return try stream(viewRequest, request) }
        let form = Self.notStored(viewRequest, request)
        guard let seconds = Preferences.wait(prefer: request.headers.list(of: "Prefer")) else {
            guard viewRequest.position == nil, Self.isShared(viewRequest, request), let terms = sharedTerms(ofChanges: true, request) else {
                return changes(viewRequest, from: viewRequest.version, form)
            }
            return changes(viewRequest, from: viewRequest.version, DocumentForm(Self.compressible(viewRequest, terms)))
        }
        let (expiry, caller) = (request.context.caller.expiry, request.context.limitKey)
        let (view, version, position) = (viewRequest.view, viewRequest.version, viewRequest.position)
        return .waiting {
            try await Self.localizingProblems(in: view.locale) {
                do {
                    let changes = try await service.changes(
                        of: view, from: version, at: position, waiting: .seconds(seconds), until: expiry, for: caller
                    )
                    var answer = form.answer(changes)
                    answer.headers.append("Preference-Applied", "wait=\(seconds)")
                    return answer
                } catch is FollowingFault {
                    return form.answer(try await service.changesInTurn(of: view, from: version, at: position))
                }
            }
        }
    }

    private func changes(_ viewRequest: ViewRequest, from version: String?, _ form: DocumentForm) -> Reply {
        let changes = service.changes(of: viewRequest.view, from: version, at: viewRequest.position, within: viewRequest.deadline)
        return Self.reply(with: changes, in: viewRequest.view.locale, form)
    }

    /// Performs an action and replies with the changes since the version in the body, or without a document if the client prefers a minimal
    /// response.
    func perform(_ request: borrowing RoutedRequest) throws -> Reply {
        let viewRequest = try ViewRequest(request, of: service)
        let name = request.path.action
        let textLength = try service.catalog.textLength(ofAction: name, of: viewRequest.view, for: request.context.caller)
        try request.requireJSONBody()
        var caller = request.context.caller
        caller.limitKey = request.context.limitKey
        let key = try IdempotencyKey.read(from: request.headers, of: caller)
        let isMinimal = Preferences.prefersMinimalResponse(prefer: request.headers.list(of: "Prefer"))
        let form = Self.notStored(viewRequest, request)
        let work: @Sendable ([UInt8]) async throws -> Answer = { [service, caller] body in
            let (version, input) = try RequestBody.action(in: body)
            let action = ActionRequest(action: name, caller: caller, version: version, input: input, idempotencyKey: key)
            let (document, position) = try await service.perform(
                action, on: viewRequest.view, after: viewRequest.position, isAnswered: !isMinimal, within: viewRequest.deadline
            )
            var answer = document.map { form.answer($0) } ?? .response(form.minimalResponse(in: viewRequest.view.locale))
            if let position { answer.headers.append(PositionField.name, position) }
            return answer
        }
        return .reading(countedFor: caller.limitKey, limit: RequestBody.actionLimit(textLength: textLength)) { body in
            let body = try body.get()
            return .later { try await Self.localizingProblems(in: viewRequest.view.locale) { try await work(body) } }
        }
    }

    private func stream(_ viewRequest: ViewRequest, _ request: borrowing RoutedRequest) throws -> Reply {
        let version = request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 } ?? viewRequest.version
        // `Vary` is not sent, because caches do not store streams, and because each of ten thousand streams would keep this field in
        // memory. `X-Accel-Buffering` keeps nginx from buffering events.
        let headers: Headers = [
            "Content-Language": viewRequest.view.locale.language, "Content-Type": Self.eventStreamType,
            "Cache-Control": viewRequest.traits.isCompressible ? "no-store" : "no-store, \(CacheTerms.forbiddenEncoding)",
            "X-Accel-Buffering": "no",
        ]
        let codings = request.context.codings
        let answer: @Sendable (Subscription) throws -> Answer = { [retry, eventMetrics] subscription in
            guard codings.prefersGzipStream || codings.acceptsIdentity else { throw Problem.unacceptableForm("gzip or identity") }
            return .stream(
                StreamingResponse(headers: headers, heartbeatInterval: EventStream.heartbeatInterval, note: ResponseNote.stream) { waker in
                    EventStream(subscription, since: version, retry: retry(), waker: waker, metrics: eventMetrics)
                }
            )
        }
        let (caller, expiry) = (request.context.limitKey, request.context.caller.expiry)
        switch service.follow(viewRequest.view, for: caller, at: viewRequest.position, until: expiry) {
        case .now(let subscription): return .now(try answer(subscription))
        // The work of a `waiting` reply is cancelled if the client disconnects.
        case .later(let work): return .waiting { try answer(try await Self.localizingProblems(in: viewRequest.view.locale, work)) }
        }
    }

    private static func reply(with document: Eventual<Document>, in locale: ScreenLocale, _ form: DocumentForm) -> Reply {
        switch document {
        case .now(let document): .now(form.answer(document))
        case .later(let work): .later { form.answer(try await localizingProblems(in: locale, work)) }
        }
    }

    /// Runs work of a screen and turns its errors into problems in the screen's language.
    private static func localizingProblems<Value>(in locale: ScreenLocale, _ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch { throw (Problem(error, in: locale) as (any Error)?) ?? error }
    }
}
