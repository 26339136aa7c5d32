import CMicroHTTPD
import Glibc
import Logging

/// The steps of a request.
///
/// libmicrohttpd calls these functions for each request, in this order:
/// - `begin` after the request line.
/// - `judge` after the head. If the request has a body or is rejected, `judge` calls the request handler, and the reply decides whether
///   the body is read.
/// - `receive` for each part of the body.
/// - `finish` at the end of the request, and after a suspended connection is resumed. If the request is valid and has no body, `finish`
///   calls the request handler.
///
/// A response that is queued before the body was read closes the connection, because libmicrohttpd does not read the rest of the request.
///
/// If the response is not available yet, `judge` can suspend the connection. When the connection is resumed, libmicrohttpd calls `finish`
/// before it reads the body. There are two cases. If the response is available, `finish` queues it, which closes the connection. If
/// deferred work has returned another reply, `finish` acts on this reply as `judge` does, and the body may still be read.
extension EventLoop {
    func begin(_ target: String, on connection: Connection) {
        requestsBegun += 1
        switch connection.stage {
        case .cut: return  // No response can be sent.
        case .idle, .retired: connection.since = now
        default: break
        }
        connection.record?.begun = now
        connection.target = target
        connection.stage = .head
        connection.endReadingAgain()
    }

    func judge(
        _ connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let memoryEnd = connection.collectHeaders()
        connection.isHeadRequest = strcmp(method, "HEAD") == 0
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

    /// Acts on the reply to the head of a request: reads the body, discards the body, or responds at once and closes the connection.
    private func decide(_ reply: Reply, _ connection: Connection) -> MHD_Result {
        // The reply can be deferred work, which returns another reply. When the work has ended, `finish` calls this function again with
        // this other reply.
        if case .deferred = reply.content { return answer(connection, with: reply) }
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

    /// Moves the observers of a reply to the connection, which notifies them even if it closes before the reply is used.
    private func observed(_ reply: Reply, on connection: Connection) -> Reply {
        connection.observe(with: reply.ended)
        var reply = reply
        reply.ended = nil
        return reply
    }

    /// Checks the head of a request. The head is contiguous in memory, even if it was received in pieces.
    private func verdict(
        on connection: Connection, method: UnsafePointer<CChar>, version text: UnsafePointer<CChar>,
        memoryEnd: UnsafePointer<CChar>?
    ) -> HeadVerdict {
        if let excess = connection.excess { return .refuse(excess) }
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
            connection.endPriority(idleSeconds: shared.idleSeconds)
            // The time limit for receiving the body is measured from now, so that it does not include the time of the deferred work that
            // returned `reply`.
            connection.since = now
            return decide(reply, connection)
        case .answered(let answer):
            connection.endPriority(idleSeconds: shared.idleSeconds)
            return send(answer, on: connection)
        case .suspended: return .YES
        case .opening, .idle, .retired, .head, .sending, .streaming, .cut: return .NO
        }
    }

    private func call(_ connection: Connection, method: UnsafePointer<CChar>, _ refusal: Refusal? = nil) -> Reply {
        connection.record?.isPassedOn = true
        return shared.handler(
            Request(
                method: methodName(method), target: connection.target, headers: connection.headers, refusal: refusal,
                peer: connection.peer, record: connection.record?.record
            )
        )
    }

    private func replyOfBody(on connection: Connection) -> Reply {
        guard let reply = connection.body?.reply, case .reading(let reading) = reply.content else { return .response(.unforeseen) }
        return self.reply(of: reading, in: reply, on: connection)
    }

    /// Passes the received body to a body handler. If the request has no body, passes an empty body.
    private func reply(of reading: Reply.Reading, in reply: Reply, on connection: Connection) -> Reply {
        do {
            return try reading.read(connection.body?.take() ?? .success([])).recovering(by: reply.recover)
        } catch {
            return .now(Self.answer(to: error, reply.recover, shared.logger))
        }
    }

    /// Sends the response that a reply contains, or suspends the connection until the response is computed.
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
        // The connection is suspended first. If it were resumed before it is suspended, its next suspension would be cancelled.
        MHD_suspend_connection(connection.handle)
        take(reply, on: connection)
        return .YES
    }

    /// Continues a suspended connection with the reply of its deferred work.
    func continueSuspended(_ connection: Connection, with reply: Reply) {
        if connection.body?.isUndecided == true {
            resume(connection, as: .resumedAtHead(observed(reply, on: connection)))
        } else {
            take(reply, on: connection)
        }
    }

    /// Resumes a suspended connection with the response that a reply contains, or starts the work that computes the response.
    private func take(_ reply: Reply, on connection: Connection) {
        connection.observe(with: reply.ended)
        switch reply.content {
        case .now(let answer): resume(connection, as: .answered(answer))
        case .later(let work): run(work, in: reply, for: connection, endsWithClient: false)
        case .waiting(let work): run(work, in: reply, for: connection, endsWithClient: true)
        case .deferred(let work):
            let (inbox, recover) = (inbox, reply.recover)
            let task = Task { _ = inbox.post(.reply(await work().recovering(by: recover), connection)) }
            connection.stage = .suspended(task, endsWithClient: false)
        case .reading(let reading): take(self.reply(of: reading, in: reply, on: connection), on: connection)
        }
    }

    /// Resumes a suspended connection in the stage `answered` or `resumedAtHead`.
    func resume(_ connection: Connection, as stage: Connection.Stage) {
        connection.stage = stage
        connection.prioritizeResponse(idleSeconds: shared.idleSeconds)
        MHD_resume_connection(connection.handle)
    }

    private static func answer(to error: any Error, _ recover: Reply.Recover?, _ logger: Logger) -> Answer {
        if let recover { return recover(error) }
        logger.error("a request failed", metadata: ["error": "\(error)"])
        return .response(.unforeseen)
    }

    /// Returns the method as text, without an allocation for GET.
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
    /// Reads the header fields into `headers`. Returns the end of the free memory after the head.
    fileprivate func collectHeaders() -> UnsafePointer<CChar>? {
        var found = FoundValues()
        swap(&found.headers, &headers)
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values_n(
                handle, httpd_fields_and_cookies,
                { found, kind, name, nameLength, value, length in
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

/// The header fields that libmicrohttpd has parsed, and the end of the free memory after the head (see ``HeadMemory``).
private struct FoundValues {
    var headers = Headers()
    var memoryEnd: UnsafePointer<CChar>?

    mutating func note(_ kind: MHD_ValueKind, name: UnsafeBufferPointer<CChar>, value: UnsafeRawBufferPointer) {
        // The field of the cookie that the server has added (see ``HeadMemory``) is ignored. The kind of this field combines `HEADER_KIND`
        // and `FOOTER_KIND`, so the kind equals neither of them.
        if kind == .HEADER_KIND { headers.append(name: UnsafeRawBufferPointer(name), value: trimmed(value)) }
        if kind == .COOKIE_KIND { memoryEnd = name.baseAddress }
    }

    /// Returns a value without trailing blanks (RFC 9110, section 5.5). libmicrohttpd removes only leading blanks.
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
