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
        try Self.requireJSON(request)
        let (locale, caller) = (locale(of: request), request.context.caller)
        let form = DocumentForm(keepableBy: request, isShared: caller.user == nil)
        return reply(with: service.listing(in: locale, for: caller, within: request.deadline), in: locale, form)
    }

    func snapshot(_ request: borrowing RoutedRequest) throws -> Reply {
        let view = try view(of: request)
        if let position = position(in: request) {
            let snapshot = service.snapshot(of: view, at: position, within: request.deadline)
            return reply(with: snapshot, in: view.locale, DocumentForm(unkeptWithTag: request))
        }
        let isShared = isShared(view, request)
        let form = DocumentForm(keepableBy: request, isShared: isShared, isShared ? sharedTerms(for: .snapshot, request) : nil)
        return reply(with: service.snapshot(of: view, within: request.deadline), in: view.locale, form)
    }

    /// Whether what answers a request may be given to anybody.
    private func isShared(_ view: ScreenView, _ request: borrowing RoutedRequest) -> Bool {
        service.catalog.isShared(view) && !SharedCaching.isPersonal(request)
    }

    /// What is said to shared caches; nil where none may keep anything.
    private func sharedTerms(for question: SharedCaching.Question, _ request: borrowing RoutedRequest) -> CacheTerms? {
        let isNegotiated = request.query.locale == nil && service.catalog.locales.count > 1
        // What a cache has may be from before the position that somebody says.
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
        let view = try view(of: request)
        let position = position(in: request)
        let (deadline, form) = (request.deadline, DocumentForm(request))
        return .reading(countedFor: request.context.limitKey) { body in
            let body = try body.get()
            guard body.count > Self.bodyReadAtOnce else {
                return changes(of: view, from: try RequestBody.version(in: body), at: position, within: deadline, form)
            }
            let work: @Sendable () async throws -> Document = { [service] in
                try await service.changes(of: view, from: try RequestBody.version(in: body), at: position, within: deadline).value
            }
            return reply(with: .later(work), in: view.locale, form)
        }
    }

    /// Bytes of a body up to which it is read on the thread that serves others. A version takes a hundred.
    static let bodyReadAtOnce = 16 << 10

    /// What changed since the version in the query: now, once there is something, or again and again.
    func changes(_ request: borrowing RoutedRequest) throws -> Reply {
        let streams = Preferences.prefersEventStream(accept: request.headers.list(of: "Accept"))
        let view = try view(of: request, acceptsJSON: !streams)
        if streams { return stream(view, request) }
        let (version, position) = (request.query.version, position(in: request))
        guard let seconds = Preferences.wait(prefer: request.headers.list(of: "Prefer")) else {
            let isKept = position == nil && isShared(view, request)
            let form = DocumentForm(request, isKept ? sharedTerms(for: .changes, request) : nil)
            return changes(of: view, from: version, at: position, within: request.deadline, form)
        }
        let (form, expiry, caller) = (DocumentForm(request), request.context.caller.expiry, request.context.limitKey)
        return .waiting {
            try await saying(in: view.locale) {
                do {
                    let changes = try await service.changes(
                        of: view, from: version, at: position, waiting: .seconds(seconds), until: expiry, for: caller
                    )
                    var answer = form.answer(changes)
                    answer.headers.append("Preference-Applied", "wait=\(seconds)")
                    return answer
                } catch is FollowingFault {
                    return form.answer(try await service.changes(of: view, from: version, at: position).value)
                }
            }
        }
    }

    private func changes(
        of view: ScreenView, from version: String?, at position: Position?, within deadline: Deadline?, _ form: DocumentForm
    ) -> Reply {
        reply(with: service.changes(of: view, from: version, at: position, within: deadline), in: view.locale, form)
    }

    /// The last position that the client has seen, in the query or in fields; nil where there is none. Texts that are not
    /// tokens of this service are ignored.
    private func position(in request: borrowing RoutedRequest) -> Position? {
        guard let tokens = service.positionTokens else { return nil }
        var texts = PositionField.texts(in: request.headers)
        if let text = request.query.position { texts.append(text[...]) }
        return texts.compactMap { tokens.position(of: $0) }.max()
    }

    /// Has an action performed; its client sees what it did in the answer, unless it would rather have none.
    func perform(_ request: borrowing RoutedRequest) throws -> Reply {
        let view = try view(of: request)
        let textLength = try service.catalog.textLength(ofAction: request.path.action, of: view, for: request.context.caller)
        try requireJSONBody(request)
        var caller = request.context.caller
        caller.limitKey = request.context.limitKey
        let (key, seen) = (try IdempotencyKey.read(from: request.headers, of: caller), position(in: request))
        let isMinimal = Preferences.wantsMinimalAnswer(prefer: request.headers.list(of: "Prefer"))
        let form = DocumentForm(request)
        let (name, deadline) = (request.path.action, request.deadline)
        let work: @Sendable ([UInt8]) async throws -> Answer = { [self, caller] body in
            let (version, input) = try RequestBody.action(in: body)
            let asked = ActionRequest(action: name, caller: caller, version: version, input: input, idempotencyKey: key)
            let position = try await perform(asked, on: view, after: seen, within: deadline)
            let token = position.flatMap { service.positionTokens?.token(for: $0) }
            var answer: Answer
            do {
                answer = isMinimal
                    ? .response(form.nothing(for: view.locale))
                    : form.answer(try await service.answer(to: asked, on: view, at: position, within: deadline))
            } catch {
                // It says to look at the screen, which any replica may show.
                guard var problem = Problem(error, in: view.locale) else { throw ActionFailure(cause: error, outcome: .performed) }
                problem.position = token
                problem.outcome = .performed
                throw problem
            }
            if let token { answer.headers.append(PositionField.name, token) }
            return answer
        }
        return .reading(countedFor: caller.limitKey, limit: RequestBody.longestAction(textLength: textLength)) { body in
            let body = try body.get()
            return .later { try await saying(in: view.locale) { try await work(body) } }
        }
    }

    /// Performs an action. A failure is thrown as a problem in the language of its screen, with the outcome.
    private func perform(
        _ request: ActionRequest, on view: ScreenView, after seen: Position?, within deadline: Deadline?
    ) async throws -> Position? {
        do {
            return try await service.attempt(request, on: view, after: seen, within: deadline)
        } catch {
            guard var problem = Problem(error.cause, in: view.locale) else { throw error }
            problem.outcome = error.outcome
            throw problem
        }
    }

    /// Streams what is new in a view, from the version that the client holds.
    private func stream(_ view: ScreenView, _ request: borrowing RoutedRequest) -> Reply {
        let position = position(in: request)
        let resumed = request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 } ?? request.query.version
        // Not kept, so no `Vary`, which ten thousand streams would each have in memory. nginx would collect events before it
        // sends them on.
        let headers: Headers = [
            "Content-Language": view.locale.language, "Content-Type": Self.eventStreamType, "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        ]
        let answer: @Sendable (Subscription) -> Answer = { [retry] subscription in
            .stream(
                StreamingResponse(headers: headers, heartbeat: EventStream.heartbeat) { waker in
                    EventStream(subscription, since: resumed, retry: retry(), waker: waker)
                }
            )
        }
        switch service.follow(view, for: request.context.limitKey, at: position, until: request.context.caller.expiry) {
        case .now(let subscription): return .now(answer(subscription))
        // A client that leaves waits for its turn no longer.
        case .later(let work): return .waiting { answer(try await saying(in: view.locale, work)) }
        }
    }
}

// MARK: - From a request to a view

extension ScreenHandlers {
    /// - Throws: that there is no such screen, that it needs a user, or all faults of the query at once.
    private func view(of request: borrowing RoutedRequest, acceptsJSON: Bool = true) throws -> ScreenView {
        let faults = request.query.faults
        let view: ScreenView
        do {
            view = try service.catalog.view(
                of: request.path.screen, parameters: request.query.parameters, revision: request.query.revision,
                locale: locale(of: request), caller: request.context.caller
            )
        } catch .parameters(let ofScreen) {
            throw ViewFault.parameters(faults + ofScreen)
        }
        if !faults.isEmpty { throw ViewFault.parameters(faults) }
        if acceptsJSON { try Self.requireJSON(request) }
        return view
    }

    private func locale(of request: borrowing RoutedRequest) -> ScreenLocale {
        request.query.locale ?? Preferences.locale(
            acceptLanguage: request.headers.list(of: "Accept-Language"), of: service.catalog.locales
        )
    }

    /// - Throws: that the client does not take it.
    static func requireJSON(_ request: borrowing RoutedRequest) throws(Problem) {
        guard let accept = request.headers.list(of: "Accept") else { return }
        guard !Preferences.accepts("application/json", accept: accept) else { return }
        throw Problem(kind: .notAcceptable, detail: "This is served as application/json; accept that, or */*.")
    }

    /// A form of a web page elsewhere can send any body, but none of this type (Fetch, section 2.2.2).
    private func requireJSONBody(_ request: borrowing RoutedRequest) throws(Problem) {
        let type = request.headers["Content-Type"]?.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard type.map({ String(decoding: $0, as: UTF8.self).lowercased() }) != "application/json" else { return }
        throw Problem(
            kind: .unsupportedMediaType,
            detail: "An action takes application/json; send that Content-Type, as curl does with --json instead of -d."
        )
    }
}

// MARK: - From a document to an answer

extension ScreenHandlers {
    private func reply(with document: Eventual<Document>, in locale: ScreenLocale, _ form: DocumentForm) -> Reply {
        switch document {
        case .now(let document): .now(form.answer(document))
        case .later(let work): .later { form.answer(try await saying(in: locale, work)) }
        }
    }

    /// Has what a screen throws be a problem in its language.
    private func saying<Value>(in locale: ScreenLocale, _ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch { throw (Problem(error, in: locale) as (any Error)?) ?? error }
    }
}

/// How a document is sent to whoever made a request.
struct DocumentForm: Sendable {
    private let terms: CacheTerms
    /// What is said to caches instead where they may give it to others; nil where they may not.
    private let sharedTerms: CacheTerms?
    private let hasTag: Bool
    private let ifNoneMatch: String?

    /// The form of an answer to a request for changes.
    init(_ request: borrowing RoutedRequest, _ sharedTerms: CacheTerms? = nil) {
        terms = .unkept(request.context.decisiveFields)
        self.sharedTerms = sharedTerms
        (hasTag, ifNoneMatch) = (false, nil)
    }

    /// The form of a snapshot that is asked for at a position: nobody keeps it, but who has it is told so.
    init(unkeptWithTag request: borrowing RoutedRequest) {
        terms = .unkept(request.context.decisiveFields)
        sharedTerms = nil
        (hasTag, ifNoneMatch) = (true, request.headers.list(of: "If-None-Match"))
    }

    /// The form of what the client can keep.
    init(keepableBy request: borrowing RoutedRequest, isShared: Bool, _ sharedTerms: CacheTerms? = nil) {
        terms = .revalidated(isShared: isShared, request.context.decisiveFields)
        self.sharedTerms = sharedTerms
        (hasTag, ifNoneMatch) = (true, request.headers.list(of: "If-None-Match"))
    }

    /// The answer to who wants none: that it was done.
    func nothing(for locale: ScreenLocale) -> Response {
        let terms = CacheTerms.unkept(["Prefer"] + terms.decisiveFields)
        var headers = terms.headers(in: locale)
        headers.append("Preference-Applied", "return=minimal")
        return Response(status: 204, headers: headers)
    }

    func answer(_ document: Document) -> Answer {
        // Anyone can ask with versions without end, and a version that one replica does not know another may.
        let isShared = document.reason != .unknownVersion
        let responses = DocumentResponses.of(document, hasTag: hasTag, isShared ? sharedTerms ?? terms : terms)
        if let ifNoneMatch, let tag = responses.entityTag, let notModified = responses.notModified,
            Preferences.matches(ifNoneMatch: ifNoneMatch, tag: tag) {
            return .prepared(notModified)
        }
        return .prepared(responses.whole)
    }
}
