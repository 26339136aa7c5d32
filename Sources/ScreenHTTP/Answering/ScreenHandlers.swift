import HTTPServer
import ScreenService
import ScreenWire

/// What is done for requests about screens: the list of them, snapshots, changes and actions.
struct ScreenHandlers: Sendable {
    static let eventStreamType = "text/event-stream"

    let service: ScreenService
    /// Nil where no cache but a client's own may keep anything.
    var sharedCaching: SharedCaching?
    /// Gives the time for the `retry:` field of a stream, in milliseconds.
    let retry: @Sendable () -> Int

    func list(_ request: borrowing RoutedRequest) throws -> Reply {
        try request.requireJSON()
        let (locale, caller) = (request.locale(of: service.catalog.locales), request.context.caller)
        let document = service.listing(in: locale, for: caller, within: request.context.deadline)
        return Self.reply(with: document, in: locale, Self.form(ofServiceDocument: request))
    }

    /// The OpenAPI document of what the caller may have.
    func description(_ request: borrowing RoutedRequest, _ describe: @escaping @Sendable (Offering) -> [UInt8]) throws -> Reply {
        try request.requireJSON()
        let document = service.description(for: request.context.caller, describe)
        return Self.reply(with: document, in: service.catalog.locales[0], Self.form(ofServiceDocument: request))
    }

    private static func form(ofServiceDocument request: borrowing RoutedRequest) -> DocumentForm {
        let terms = CacheTerms.revalidated(isShared: request.context.caller.user == nil, request.context.decisiveFields)
        return DocumentForm(terms, comparing: request)
    }

    func snapshot(_ request: borrowing RoutedRequest) throws -> Reply {
        let asked = try ViewRequest(request, of: service)
        let form = DocumentForm(snapshotTerms(of: asked, request), comparing: request)
        let snapshot = service.snapshot(of: asked.view, at: asked.position, within: asked.deadline)
        return Self.reply(with: snapshot, in: asked.view.locale, form)
    }

    private func snapshotTerms(of asked: ViewRequest, _ request: borrowing RoutedRequest) -> CacheTerms {
        if asked.position != nil { return .unkept(request.context.decisiveFields) }
        let isShared = isShared(asked.view, request)
        if isShared, let terms = sharedTerms(for: .snapshot, request) { return terms }
        return .revalidated(isShared: isShared, request.context.decisiveFields)
    }

    /// Returns a Boolean value that indicates whether the response to a request may be sent to other callers.
    private func isShared(_ view: ScreenView, _ request: borrowing RoutedRequest) -> Bool {
        service.catalog.isShared(view) && !SharedCaching.isPersonal(request)
    }

    /// Returns what is said to shared caches; nil where none may store anything.
    private func sharedTerms(for question: SharedCaching.Question, _ request: borrowing RoutedRequest) -> CacheTerms? {
        let isNegotiated = request.query.locale == nil && service.catalog.locales.count > 1
        // A cached response may be from before the position that a client says.
        let fields = request.context.decisiveFields + (service.positionTokens == nil ? [] : [PositionField.name])
        return sharedCaching?.terms(for: question, isLanguageNegotiated: isNegotiated, fields)
    }

    /// The Swift that defines an example screen.
    func source(_ request: borrowing RoutedRequest) throws -> Reply {
        guard let source = try service.catalog.source(of: request.path.screen, for: request.context.caller) else {
            throw Problem(kind: .notFound, detail: "There is no source of such a screen here. The screens are listed at /screens.")
        }
        var headers: Headers = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff",
        ]
        let fields = request.context.decisiveFields
        if !fields.isEmpty { headers.append("Vary", fields.joined(separator: ", ")) }
        return .response(Response(headers: headers, body: source))
    }

    /// What changed since the version in the body.
    func postedChanges(_ request: borrowing RoutedRequest) throws -> Reply {
        let asked = try ViewRequest(request, of: service)
        let form = DocumentForm(.unkept(request.context.decisiveFields))
        return .reading(countedFor: request.context.limitKey) { body in
            let body = try body.get()
            guard body.count > Self.bodyReadAtOnce else { return changes(asked, from: try RequestBody.version(in: body), form) }
            let work: @Sendable () async throws -> Document = { [service] in
                let version = try RequestBody.version(in: body)
                return try await service.changes(of: asked.view, from: version, at: asked.position, within: asked.deadline).value
            }
            return Self.reply(with: .later(work), in: asked.view.locale, form)
        }
    }

    /// Bytes of a body up to which it is read on the thread that serves others. A version takes a hundred.
    static let bodyReadAtOnce = 16 << 10

    /// What changed since the version in the query: now, once there is something, or again and again.
    func changes(_ request: borrowing RoutedRequest) throws -> Reply {
        let streams = Preferences.prefersEventStream(accept: request.headers.list(of: "Accept"))
        let asked = try ViewRequest(request, of: service, acceptsJSON: !streams)
        if streams { return stream(asked, request) }
        let form = DocumentForm(.unkept(request.context.decisiveFields))
        guard let seconds = Preferences.wait(prefer: request.headers.list(of: "Prefer")) else {
            guard asked.position == nil, isShared(asked.view, request), let terms = sharedTerms(for: .changes, request) else {
                return changes(asked, from: asked.version, form)
            }
            return changes(asked, from: asked.version, DocumentForm(terms))
        }
        let (expiry, caller) = (request.context.caller.expiry, request.context.limitKey)
        return .waiting {
            try await Self.saying(in: asked.view.locale) {
                do {
                    let changes = try await service.changes(
                        of: asked.view, from: asked.version, at: asked.position, waiting: .seconds(seconds), until: expiry, for: caller
                    )
                    var answer = form.answer(changes)
                    answer.headers.append("Preference-Applied", "wait=\(seconds)")
                    return answer
                } catch is FollowingFault {
                    return form.answer(try await service.changes(of: asked.view, from: asked.version, at: asked.position).value)
                }
            }
        }
    }

    private func changes(_ asked: ViewRequest, from version: String?, _ form: DocumentForm) -> Reply {
        let changes = service.changes(of: asked.view, from: version, at: asked.position, within: asked.deadline)
        return Self.reply(with: changes, in: asked.view.locale, form)
    }

    /// Has an action performed; its client sees what it did in the answer, unless it would rather have none.
    func perform(_ request: borrowing RoutedRequest) throws -> Reply {
        let asked = try ViewRequest(request, of: service)
        let name = request.path.action
        let textLength = try service.catalog.textLength(ofAction: name, of: asked.view, for: request.context.caller)
        try request.requireJSONBody()
        var caller = request.context.caller
        caller.limitKey = request.context.limitKey
        let key = try IdempotencyKey.read(from: request.headers, of: caller)
        let isMinimal = Preferences.wantsMinimalAnswer(prefer: request.headers.list(of: "Prefer"))
        let form = DocumentForm(.unkept(request.context.decisiveFields))
        let work: @Sendable ([UInt8]) async throws -> Answer = { [service, caller] body in
            let (version, input) = try RequestBody.action(in: body)
            let action = ActionRequest(action: name, caller: caller, version: version, input: input, idempotencyKey: key)
            let (document, position) = try await service.perform(
                action, on: asked.view, after: asked.position, isAnswered: !isMinimal, within: asked.deadline
            )
            var answer = document.map { form.answer($0) } ?? .response(form.nothing(for: asked.view.locale))
            if let position { answer.headers.append(PositionField.name, position) }
            return answer
        }
        return .reading(countedFor: caller.limitKey, limit: RequestBody.longestAction(textLength: textLength)) { body in
            let body = try body.get()
            return .later { try await Self.saying(in: asked.view.locale) { try await work(body) } }
        }
    }

    /// Streams what is new in a view, from the version that the client holds.
    private func stream(_ asked: ViewRequest, _ request: borrowing RoutedRequest) -> Reply {
        let version = request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 } ?? asked.version
        // Not kept, so no `Vary`, which ten thousand streams would each have in memory. nginx would collect events before it
        // sends them on.
        let headers: Headers = [
            "Content-Language": asked.view.locale.language, "Content-Type": Self.eventStreamType, "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        ]
        let answer: @Sendable (Subscription) -> Answer = { [retry] subscription in
            .stream(
                StreamingResponse(headers: headers, heartbeat: EventStream.heartbeat) { waker in
                    EventStream(subscription, since: version, retry: retry(), waker: waker)
                }
            )
        }
        switch service.follow(asked.view, for: request.context.limitKey, at: asked.position, until: request.context.caller.expiry) {
        case .now(let subscription): return .now(answer(subscription))
        // A client that leaves waits for its turn no longer.
        case .later(let work): return .waiting { answer(try await Self.saying(in: asked.view.locale, work)) }
        }
    }

    /// The one place in which a document becomes a response.
    private static func reply(with document: Eventual<Document>, in locale: ScreenLocale, _ form: DocumentForm) -> Reply {
        switch document {
        case .now(let document): .now(form.answer(document))
        case .later(let work): .later { form.answer(try await saying(in: locale, work)) }
        }
    }

    /// Has what a screen throws be a problem in its language.
    private static func saying<Value>(in locale: ScreenLocale, _ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch { throw (Problem(error, in: locale) as (any Error)?) ?? error }
    }
}
