import ContentCoding
import HTTPServer
import Synchronization

/// A part of a stream in gzip. It can follow on any stream.
final class CodedPart: Sendable {
    let part: GzipStream.Part
    let body: PreparedBody

    /// The size in bytes below which a part is stored without compression. Such a part is the `retry` field, a heartbeat, or the event
    /// `current` or `stale`. Each stream has its own events `current`.
    static let storedByteCount = 128

    init(_ part: GzipStream.Part) {
        self.part = part
        body = PreparedBody(part.bytes)
    }
}

/// A stream in gzip. Its parts are encoded once for all streams with these parts, so a stream needs no compressor of its own.
final class CodedStream: BodyStream {
    private struct State {
        var gzip = GzipStream()
        var hasBegun = false
        var hasEnded = false
        var isEncoding = false
        var encoded: CodedPart?
    }

    private let base: any BodyStream
    private let waker: StreamWaker
    private let encoder: ContentEncoder
    private let state = Mutex(State())

    private init(_ base: any BodyStream, _ waker: StreamWaker, _ encoder: ContentEncoder) {
        (self.base, self.waker, self.encoder) = (base, waker, encoder)
    }

    static func encode(_ stream: StreamingResponse, _ encoder: ContentEncoder) -> StreamingResponse {
        var encoded = stream
        encoded.headers = stream.headers.coded(as: .gzip)
        encoded.makeBody = { waker in CodedStream(stream.makeBody(waker), waker, encoder) }
        return encoded
    }

    func next() -> StreamPart {
        state.withLock { state in
            if state.hasEnded { return .end }
            if let encoded = state.encoded {
                state.encoded = nil
                return .part(send(encoded, &state))
            }
            if state.isEncoding { return .pause }
            switch base.next() {
            case .part(let part) where !part.bytes.isEmpty:
                if let coded = encoder.part(part) { return .part(send(coded, &state)) }
                start(part, &state)
                return .pause
            case .part, .pause: return .pause
            case .end:
                state.hasEnded = true
                return .part(PreparedBody((state.hasBegun ? [] : GzipStream.header) + state.gzip.end))
            }
        }
    }

    func heartbeat() -> PreparedBody? {
        base.heartbeat().flatMap { encoder.part($0) }.map { part in state.withLock { send(part, &$0) } }
    }

    func ended() { base.ended() }

    /// Returns the bytes of a part that is sent now. The first part of a gzip stream follows on the header of the stream.
    private func send(_ part: CodedPart, _ state: inout State) -> PreparedBody {
        state.gzip.append(part.part)
        if state.hasBegun { return part.body }
        state.hasBegun = true
        return PreparedBody(GzipStream.header + part.part.bytes)
    }

    private func start(_ part: PreparedBody, _ state: inout State) {
        state.isEncoding = true
        Task {
            let encoded = await encoder.encodedPart(part)
            self.state.withLock { ($0.encoded, $0.isEncoding) = (encoded, false) }
            waker.wake()
        }
    }
}
