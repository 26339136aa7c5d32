import CMicroHTTPD
import Glibc
import Logging

extension EventLoop {
    func send(_ answer: Answer, on connection: Connection) -> MHD_Result {
        connection.body = nil
        return switch answer {
        case .prepared(let prepared) where !shared.isDraining:
            queue(prepared, on: connection)
        case .prepared(let prepared):
            queue(PreparedResponse(prepared.response, closesConnection: true), on: connection)
        case .response(let response):
            queue(PreparedResponse(response, closesConnection: shared.isDraining), on: connection)
        case .stream(let response):
            stream(response, on: connection)
        }
    }

    func queue(
        _ prepared: PreparedResponse, on connection: Connection, as stage: Connection.Stage = .sending
    ) -> MHD_Result {
        connection.stage = stage
        if !prepared.refusedFields.isEmpty {
            shared.logger.error("header fields that cannot be sent were omitted: \(prepared.refusedFields)")
        }
        let status = prepared.response.status
        connection.status = status
        connection.record?.queue(prepared, toHead: connection.isHeadRequest)
        if MHD_queue_response(connection.handle, UInt32(clamping: status), prepared.pointer) == .YES { return .YES }
        connection.stage = .sending
        connection.status = Response.unforeseen.status
        shared.logger.error("a response with status \(status) cannot be sent")
        return withExtendedLifetime(PreparedResponse(.unforeseen)) {
            connection.record?.queue($0, toHead: connection.isHeadRequest)
            return MHD_queue_response(connection.handle, UInt32($0.response.status), $0.pointer)
        }
    }
}

extension EventLoop {
    func stream(_ response: StreamingResponse, on connection: Connection) -> MHD_Result {
        let stream = NativeStream(response, on: connection, of: self)
        streams.add(stream, now: now)
        connection.prepareForStream(
            sendBuffer: shared.configuration.streamSendBufferBytes, heartbeat: response.heartbeatInterval
        )
        let prepared = PreparedResponse(stream, sending: response, on: connection, closesConnection: shared.isDraining)
        return queue(prepared, on: connection, as: .streaming(stream))
    }
}

extension Connection {
    /// Frees the memory of the request, and sets options of the socket. A small send buffer reveals that a client reads slowly. A timeout
    /// reveals that a client has disappeared.
    fileprivate func prepareForStream(sendBuffer: Int, heartbeat: Duration?) {
        target = ""
        headers = Headers()
        set(SO_SNDBUF, of: SOL_SOCKET, to: Int32(clamping: sendBuffer))
        guard let heartbeat else { return }
        let milliseconds = heartbeat * 2 / .milliseconds(1)
        set(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), to: Int32(min(max(milliseconds, 1), Double(Int32.max))))
    }

    /// Sets a socket option. Errors are ignored, because a stream works without the option.
    private func set(_ option: Int32, of level: Int32, to value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension Response {
    /// The response to an internal error.
    static let unforeseen = Response(
        status: 500, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array("Something went wrong here.\n".utf8)
    )
}
