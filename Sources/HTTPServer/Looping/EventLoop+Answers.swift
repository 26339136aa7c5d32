import CMicroHTTPD
import Glibc
import Logging

/// The way of one answer: into the library, once for each request.
extension EventLoop {
    func send(_ answer: Answer, on connection: Connection) -> MHD_Result {
        switch answer {
        case .prepared(let prepared) where !shared.isDraining:
            queue(prepared.native, on: connection)
        case .prepared(let prepared):
            queue(NativeResponse(prepared.response, closesConnection: true), on: connection)
        case .response(let response):
            queue(NativeResponse(response, closesConnection: shared.isDraining), on: connection)
        case .stream(let response):
            stream(response, on: connection)
        }
    }

    func refuse(_ refusal: Refusal, on connection: Connection) -> MHD_Result {
        let response = shared.problem(refusal.status, refusal.detail)
        return queue(NativeResponse(response, closesConnection: shared.isDraining), on: connection)
    }

    func queue(
        _ response: NativeResponse, on connection: Connection, as stage: Connection.Stage = .sending
    ) -> MHD_Result {
        connection.stage = stage
        if !response.refusedFields.isEmpty {
            shared.logger.error("left out header fields that cannot be sent: \(response.refusedFields)")
        }
        if MHD_queue_response(connection.handle, response.status, response.pointer) == .YES { return .YES }
        connection.stage = .sending
        shared.logger.error("a response with status \(response.status) cannot be sent")
        let substitute = NativeResponse(shared.problem(500, "The answer could not be sent."))
        return MHD_queue_response(connection.handle, 500, substitute.pointer)
    }
}

/// The way of one streamed answer: made, queued, and from then on asked for by the library.
extension EventLoop {
    func stream(_ response: StreamingResponse, on connection: Connection) -> MHD_Result {
        let stream = NativeStream(response, on: connection, of: self)
        streams.add(stream, now: now)
        connection.prepareForStream(
            sendBuffer: shared.configuration.streamSendBufferBytes, heartbeat: response.heartbeat?.interval
        )
        let native = NativeResponse(response, of: stream, on: connection, closesConnection: shared.isDraining)
        return queue(native, on: connection, as: .streaming(stream))
    }

    func forget(_ stream: NativeStream) {
        streams.remove(stream)
    }
}

extension Connection {
    /// Gives back what only reading a request needs, and has the system notice early that a
    /// client reads slowly or has vanished. Both stay so until the connection closes.
    fileprivate func prepareForStream(sendBuffer: Int, heartbeat: Duration?) {
        target = ""
        headers = Headers()
        body = []
        set(SO_SNDBUF, of: SOL_SOCKET, to: Int32(clamping: sendBuffer))
        guard let heartbeat else { return }
        let milliseconds = heartbeat * 2 / .milliseconds(1)
        set(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), to: Int32(min(max(milliseconds, 1), Double(Int32.max))))
    }

    /// What cannot be set is not: the stream works without it.
    private func set(_ option: Int32, of level: Int32, to value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
