import CMicroHTTPD
import Glibc

/// The way of one streamed answer: made, queued, and from then on asked for by the library.
extension EventLoop {
    func stream(_ response: StreamingResponse, on connection: Connection) -> MHD_Result {
        let stream = NativeStream(response, on: connection, of: self)
        streams.add(stream, now: now)
        connection.prepareForStream(
            sendBuffer: service.configuration.streamSendBufferBytes, heartbeat: response.heartbeat?.interval
        )
        let native = NativeResponse(response, of: stream, on: connection, closesConnection: service.isDraining)
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
