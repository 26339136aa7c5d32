import CMicroHTTPD
import Glibc
import Logging

/// The way of one request: begin, judge, receive, finish.
///
/// The library calls `judge` when the head is complete, `receive` for each part of the body and `finish` at the end. The
/// handler is called once: in `judge` where there is a body, to say what becomes of it, else in `finish`. An answer that
/// is given before `finish` closes the connection, also one that comes later: while it is awaited the library reads
/// nothing. A connection that is suspended in `judge` is asked again when it is resumed, through `finish`.
extension EventLoop {
    func begin(_ target: String, on connection: Connection) {
        requestsBegun += 1
        switch connection.stage {
        case .cut: return  // Nobody would get the answer.
        case .idle, .retired: connection.since = now
        default: break
        }
        connection.target = target
        connection.stage = .head
        connection.endReadingAgain()
    }

    func judge(
        _ connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let memoryEnd = connection.collectHeaders()
        connection.asksForHead = strcmp(method, "HEAD") == 0
        switch verdict(on: connection, method: method, version: version, memoryEnd: memoryEnd) {
        case .accept(length: 0, expectsContinue: _):
            connection.stage = .bodiless
            return .YES
        case .accept(let length, let expectsContinue):
            connection.body = IncomingBody(
                length: length, expectsContinue: expectsContinue, refusal: nil, isUndecided: true, in: shared
            )
            return decide(call(connection, method: method), connection)
        case .discard(let refusal):
            connection.body = IncomingBody(length: 0, expectsContinue: false, refusal: refusal, isUndecided: true, in: shared)
            return decide(call(connection, method: method, refusal), connection)
        case .refuse(let refusal):
            connection.body = IncomingBody(length: 0, expectsContinue: false, refusal: refusal, isUndecided: false, in: shared)
            return answer(connection, with: call(connection, method: method, refusal))
        }
    }

    /// Does what a reply says of the body that follows: reads it, discards it, or answers without it and closes.
    private func decide(_ reply: Reply, _ connection: Connection) -> MHD_Result {
        // A preceding step must finish first. The library calls again afterwards, and the decision is made then.
        if case .preceded = reply.content { return answer(connection, with: reply) }
        connection.body?.isUndecided = false
        var reply = reply
        if case .reading(let reading) = reply.content, let body = connection.body, body.refusal == nil {
            connection.observe(with: reply.ended)
            if body.accept(reading) {
                body.reply = reply
                connection.stage = .body
                connection.endReadingAgain()
                return .YES
            }
            reply = self.reply(of: reading, in: reply, on: connection)
        }
        if connection.body?.expectsContinue == true { return answer(connection, with: reply) }
        connection.stage = .discarding(observed(reply, on: connection))
        connection.endReadingAgain()
        return .YES
    }

    /// Returns a reply that is stored for later. Its observers belong to the connection from now on, which notifies them also
    /// when it closes before.
    private func observed(_ reply: Reply, on connection: Connection) -> Reply {
        connection.observe(with: reply.ended)
        var reply = reply
        reply.ended = nil
        return reply
    }

    /// The head lies in one piece from its method on, also if it came in several.
    private func verdict(
        on connection: Connection, method: UnsafePointer<CChar>, version text: UnsafePointer<CChar>,
        memoryEnd: UnsafePointer<CChar>?
    ) -> HeadVerdict {
        if connection.isOverLimit { return .refuse(.tooManyConnections) }
        guard let version = HTTPVersion(text) else { return .refuse(.version) }
        connection.speaksHTTP10 = version == .http10
        let head = UnsafeRawBufferPointer(start: method, count: httpd_head_size(connection.handle))
        let refusal = RawHead.refusal(
            of: head.bindMemory(to: UInt8.self).span, target: connection.target.utf8.span, version: text - method,
            fieldCount: connection.headers.fields.count
        )
        if let refusal { return .refuse(refusal) }
        let configuration = shared.configuration
        guard let memoryEnd, memoryEnd - (method + head.count) >= HeadMemory.reserve,
            connection.headers.fields.count <= HeadMemory.maximumFieldCount(in: configuration.maximumHeaderBytes)
        else { return .refuse(.headTooLong) }
        return HeadVerdict.on(connection.headers, version: version, maximumBodyBytes: configuration.maximumBodyBytes)
    }

    func receive(_ part: UnsafeRawBufferPointer, on connection: Connection) -> MHD_Result {
        if case .body = connection.stage, let body = connection.body, !body.append(part) {
            connection.stage = .discarding(observed(replyOfBody(on: connection), on: connection))
        }
        connection.endReadingAgain()
        return .YES
    }

    func finish(_ connection: Connection, method: UnsafePointer<CChar>) -> MHD_Result {
        switch connection.stage {
        case .bodiless: return answer(connection, with: call(connection, method: method))
        case .body: return answer(connection, with: replyOfBody(on: connection))
        case .discarding(let reply): return answer(connection, with: reply)
        case .resumedAtHead(let reply):
            connection.endAsking(idleSeconds: shared.idleSeconds)
            // The time until now was not the client's.
            connection.since = now
            return decide(reply, connection)
        case .answered(let answer):
            connection.endAsking(idleSeconds: shared.idleSeconds)
            return send(answer, on: connection)
        case .suspended: return .YES
        case .opening, .idle, .retired, .head, .sending, .streaming, .cut: return .NO
        }
    }

    /// The handler's reply to a head.
    private func call(_ connection: Connection, method: UnsafePointer<CChar>, _ refusal: Refusal? = nil) -> Reply {
        shared.handler(
            Request(
                method: methodName(method), target: connection.target, headers: connection.headers, refusal: refusal,
                peer: connection.peer
            )
        )
    }

    /// Calls the reader of the body that was asked for.
    private func replyOfBody(on connection: Connection) -> Reply {
        guard let reply = connection.body?.reply, case .reading(let reading) = reply.content else { return .response(.unforeseen) }
        return self.reply(of: reading, in: reply, on: connection)
    }

    /// Calls the reader of the body. The body is empty if the request has none.
    private func reply(of reading: Reply.Reading, in reply: Reply, on connection: Connection) -> Reply {
        do {
            return try reading.read(connection.body?.take() ?? .success([])).recovering(by: reply.recover)
        } catch {
            return .now(Self.answer(to: error, reply.recover, shared.logger))
        }
    }

    /// Answers with a reply, without reading any more of the request.
    private func answer(_ connection: Connection, with reply: Reply) -> MHD_Result {
        var reply = reply
        while case .reading(let reading) = reply.content {
            connection.observe(with: reply.ended)
            reply = self.reply(of: reading, in: reply, on: connection)
        }
        if case .now(let answer) = reply.content {
            connection.observe(with: reply.ended)
            return send(answer, on: connection)
        }
        // First: an answer that resumed it earlier would cancel the next suspension.
        MHD_suspend_connection(connection.handle)
        take(reply, on: connection)
        return .YES
    }

    /// Continues a suspended connection with the reply of a preceding step.
    func goOn(_ connection: Connection, with reply: Reply) {
        if connection.body?.isUndecided == true {
            resume(connection, as: .resumedAtHead(observed(reply, on: connection)))
        } else {
            take(reply, on: connection)
        }
    }

    /// Does what a reply says, for a connection that is suspended.
    private func take(_ reply: Reply, on connection: Connection) {
        connection.observe(with: reply.ended)
        switch reply.content {
        case .now(let answer): resume(connection, as: .answered(answer))
        case .later(let work): run(work, in: reply, for: connection, endsWithClient: false)
        case .waiting(let work): run(work, in: reply, for: connection, endsWithClient: true)
        case .preceded(let work):
            let (inbox, recover) = (inbox, reply.recover)
            let task = Task { inbox.post(.reply(await work().recovering(by: recover), connection)) }
            connection.stage = .suspended(task, endsWithClient: false)
        case .reading(let reading): take(self.reply(of: reading, in: reply, on: connection), on: connection)
        }
    }

    /// - Parameter stage: `answered`, or `resumedAtHead` at the end of the head.
    func resume(_ connection: Connection, as stage: Connection.Stage) {
        connection.stage = stage
        connection.beginAsking(idleSeconds: shared.idleSeconds)
        MHD_resume_connection(connection.handle)
    }

    private static func answer(to error: any Error, _ recover: Reply.Recover?, _ logger: Logger) -> Answer {
        if let recover { return recover(error) }
        logger.error("a request failed", metadata: ["error": "\(error)"])
        return .response(.unforeseen)
    }

    /// Text is made only of methods that few requests have.
    private func methodName(_ method: UnsafePointer<CChar>) -> String {
        strcmp(method, "GET") == 0 ? "GET" : String(cString: method)
    }

    private func run(
        _ work: @escaping @Sendable () async throws -> Answer, in reply: Reply, for connection: Connection, endsWithClient: Bool
    ) {
        let (inbox, logger, recover) = (inbox, shared.logger, reply.recover)
        let task = Task {
            let answer: Answer
            do { answer = try await work() } catch { answer = Self.answer(to: error, recover, logger) }
            inbox.post(.answer(answer, connection))
        }
        connection.stage = .suspended(task, endsWithClient: endsWithClient)
        if endsWithClient && connection.isHalfClosed { task.cancel() }
    }
}

extension Connection {
    /// Collects the fields of the client. Returns where the free memory behind the head ends.
    fileprivate func collectHeaders() -> UnsafePointer<CChar>? {
        var found = FoundValues()
        swap(&found.headers, &headers)
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values_n(handle, httpd_fields_and_cookies, { found, kind, name, nameLength, value, length in
                found!.assumingMemoryBound(to: FoundValues.self).pointee.note(
                    kind, name: UnsafeBufferPointer(start: name, count: nameLength),
                    value: UnsafeRawBufferPointer(start: value, count: length)
                )
                return .YES
            }, found)
        }
        swap(&found.headers, &headers)
        return found.memoryEnd
    }
}

/// What the library has made of the fields.
private struct FoundValues {
    var headers = Headers()
    var memoryEnd: UnsafePointer<CChar>?

    mutating func note(_ kind: MHD_ValueKind, name: UnsafeBufferPointer<CChar>, value: UnsafeRawBufferPointer) {
        // The mark itself is of both kinds of fields, which makes it another.
        if kind == .HEADER_KIND { headers.append(name: UnsafeRawBufferPointer(name), value: trimmed(value)) }
        if kind == .COOKIE_KIND { memoryEnd = name.baseAddress }
    }

    /// Blanks behind a value are no part of it (RFC 9110, section 5.5); the library takes away those before it alone.
    private func trimmed(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = value.count
        while end > 0, value[end - 1] == UInt8(ascii: " ") || value[end - 1] == UInt8(ascii: "\t") { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: value[..<end])
    }
}

extension HTTPVersion {
    fileprivate init?(_ text: UnsafePointer<CChar>) {
        if strcmp(text, "HTTP/1.1") == 0 {
            self = .http11
        } else if strcmp(text, "HTTP/1.0") == 0 {
            self = .http10
        } else {
            return nil
        }
    }
}
