import ContentCoding
import HTTPServer
import Synchronization

/// A part of a stream in a content coding. It can follow on any stream in this coding.
struct CodedPart: Sendable {
    let body: PreparedBody
    /// The part with its checksum; nil if the coding is not gzip.
    let ofGzip: GzipStream.Part?

    /// The size in bytes below which a part is stored without compression.
    static let storedByteCount = 128

    init(encoding bytes: [UInt8], in coding: ContentCoding) {
        if coding == .gzip {
            self.init(GzipStream.Part(bytes))
        } else {
            self.init(PreparedBody(coding.encode(bytes, .fast)))
        }
    }

    /// Creates a part of at most 255 bytes without compression.
    init(storing bytes: [UInt8], in coding: ContentCoding) {
        if coding == .gzip {
            self.init(GzipStream.Part(storing: bytes))
        } else {
            self.init(PreparedBody(ContentCoding.storedFrame(bytes)))
        }
    }

    private init(_ part: GzipStream.Part) {
        self.init(PreparedBody(part.bytes), part)
    }

    private init(_ body: PreparedBody, _ ofGzip: GzipStream.Part? = nil) {
        (self.body, self.ofGzip) = (body, ofGzip)
    }
}

/// A stream whose parts are encoded once for all streams with these parts. It needs no compressor of its own.
final class CodedStream: BodyStream {
    private struct State {
        var gzip = GzipStream()
        var hasBegun = false
        var hasEnded = false
        var isEncoding = false
        var encoded: CodedPart?
    }

    private let base: any BodyStream
    private let coding: ContentCoding
    private let waker: StreamWaker
    private let encoder: ContentEncoder
    private let state = Mutex(State())

    private init(_ base: any BodyStream, _ coding: ContentCoding, _ waker: StreamWaker, _ encoder: ContentEncoder) {
        (self.base, self.coding, self.waker, self.encoder) = (base, coding, waker, encoder)
    }

    static func encode(_ stream: StreamingResponse, as coding: ContentCoding, _ encoder: ContentEncoder) -> StreamingResponse {
        var encoded = stream
        encoded.headers = stream.headers.coded(as: coding)
        encoded.makeBody = { waker in CodedStream(stream.makeBody(waker), coding, waker, encoder) }
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
                if let coded = encoder.part(part, in: coding) { return .part(send(coded, &state)) }
                start(part, &state)
                return .pause
            case .part, .pause: return .pause
            case .end:
                state.hasEnded = true
                return coding == .gzip ? .part(PreparedBody((state.hasBegun ? [] : GzipStream.header) + state.gzip.end)) : .end
            }
        }
    }

    func heartbeat() -> PreparedBody? {
        base.heartbeat().flatMap { encoder.part($0, in: coding) }.map { part in state.withLock { send(part, &$0) } }
    }

    func ended() { base.ended() }

    /// Returns the bytes of a part that is sent now. The first part of a gzip stream follows on the header of the stream.
    private func send(_ part: CodedPart, _ state: inout State) -> PreparedBody {
        guard let ofGzip = part.ofGzip else { return part.body }
        state.gzip.append(ofGzip)
        if state.hasBegun { return part.body }
        state.hasBegun = true
        return PreparedBody(GzipStream.header + ofGzip.bytes)
    }

    private func start(_ part: PreparedBody, _ state: inout State) {
        state.isEncoding = true
        Task {
            let encoded = await encoder.encodedPart(part, as: coding)
            self.state.withLock { ($0.encoded, $0.isEncoding) = (encoded, false) }
            waker.wake()
        }
    }
}
