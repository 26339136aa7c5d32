import ContentCoding
import HTTPServer
import ScreenService
import Synchronization

/// Encodes responses in the content coding that their client prefers.
///
/// A prepared body is encoded once for each coding, and the coded form is kept. For a client that accepts several codings, a body is encoded
/// in the fastest one at first. If the body is requested again, it is encoded in the background in the coding that makes it smallest.
final class ContentEncoder: Sendable {
    /// The minimum size in bytes of a body that is encoded for one request. A smaller one fits into one packet in any case.
    static let leastSingleByteCount = 1024
    /// The maximum size in bytes of a body, or of a part of a stream, that is encoded on the event loop. It takes about 0.1 ms.
    static let inlineByteCount = 4096
    private let memory: CodedMemory
    private let threads = BlockingWork(width: 2, waitingLimit: 1024)
    /// The thread that encodes bodies that are requested again.
    private let backgroundThread = BlockingWork(width: 1, waitingLimit: 64)

    /// Creates an encoder. `byteLimit` is the maximum number of bytes of all coded forms.
    init(byteLimit: Int) {
        memory = CodedMemory(byteLimit: byteLimit)
    }

    /// The approximate number of bytes of all coded forms.
    var bytes: Int { memory.bytes }

    /// Returns a reply whose response is encoded as the client prefers.
    func encode(_ reply: consuming Reply, for accepted: AcceptedCodings) -> Reply {
        if accepted.ofBody == nil, !accepted.prefersGzipStream { return reply }
        // This path creates no closure.
        if case .now(let answer) = reply.content, case .now(let encoded) = encode(answer, for: accepted) {
            var reply = reply
            reply.content = .now(encoded)
            return reply
        }
        return reply.flatMap { self.encode($0, for: accepted) }
    }

    private func encode(_ answer: Answer, for accepted: AcceptedCodings) -> Reply.Change {
        switch answer {
        case .stream(let stream):
            guard accepted.prefersGzipStream || accepted.acceptsIdentity else { return .now(.response(Self.noStream)) }
            guard accepted.prefersGzipStream, stream.headers.allowsEncoding else { return .now(answer) }
            return .now(.stream(CodedStream.encode(stream, self)))
        case .response(let response):
            guard let coding = accepted.ofBody?.single, isEncoded(response.body, response.headers, accepted) else { return .now(answer) }
            let isRequired = !accepted.acceptsIdentity
            if response.body.count <= Self.inlineByteCount {
                return .now(.response(Self.encode(response, as: coding, isRequired: isRequired)))
            }
            return .later { [threads] in
                let encoded = try? await threads.run { Self.encode(response, as: coding, isRequired: isRequired) }
                if let encoded { return .response(encoded) }
                return .response(isRequired ? Self.encode(response, as: coding, isRequired: true) : response)
            }
        case .prepared(let response):
            guard let coding = accepted.ofBody, !response.body.bytes.isEmpty else { return .now(answer) }
            guard response.body.bytes.count >= ContentCoding.leastByteCount || !accepted.acceptsIdentity else { return .now(answer) }
            guard response.response.headers.allowsEncoding else { return .now(answer) }
            let forms = forms(of: response.body)
            if let found = find(response, in: forms, coding, accepted) { return .now(found) }
            return .later {
                await self.encode(response.body, forms, as: coding.first)
                if let found = self.find(response, in: forms, coding, accepted) { return found }
                // If too many bodies wait for a thread, this one is sent as it is.
                guard !accepted.acceptsIdentity else { return answer }
                return .response(Self.encode(response.response, as: coding.first, isRequired: true))
            }
        }
    }

    /// The response to a request for a stream whose client accepts no form of a stream.
    private static let noStream = Problem(
        kind: .notAcceptable, detail: "Accept-Encoding excludes each form of the stream. Accept gzip or identity."
    ).response()

    /// Returns the response in a coding, or the response itself if the coding makes it no smaller. Returns nil if its body must be encoded
    /// first.
    private func find(
        _ response: PreparedResponse, in forms: CodedForms, _ codings: BodyCodings, _ accepted: AcceptedCodings
    ) -> Answer? {
        var isRequestedAgain = false
        switch forms.find(response, in: codings, isRequestedAgain: &isRequestedAgain) {
        case .missing: return nil
        case .useless where accepted.acceptsIdentity: return .prepared(response)
        case .useless: return .response(Self.encode(response.response, as: codings.first, isRequired: true))
        case .response(let found):
            if isRequestedAgain { encodeInBackground(response.body, forms, as: codings.frequent) }
            return .prepared(found)
        }
    }

    private func forms(of body: PreparedBody) -> CodedForms { body.attachment { CodedForms(in: memory) } }

    private func isEncoded(_ body: [UInt8], _ headers: Headers, _ accepted: AcceptedCodings) -> Bool {
        !body.isEmpty && (body.count >= Self.leastSingleByteCount || !accepted.acceptsIdentity) && headers.allowsEncoding
    }

    /// Encodes a body on a thread. All requests that need the same form wait for one job.
    private func encode(_ body: PreparedBody, _ forms: CodedForms, as coding: ContentCoding) async {
        let job = forms.job(for: coding) {
            Task { [threads] in
                _ = try? await threads.run {
                    forms.encoding.withLock { _ in
                        if forms.hasForm(in: coding) { return }
                        forms.keep(coding.encodeIfSmaller(body.bytes).map { PreparedBody($0) }, as: coding)
                    }
                }
                forms.endJob(for: coding)
            }
        }
        await job.value
    }

    /// Encodes a body in the background. The body is not retained while it waits.
    private func encodeInBackground(_ body: PreparedBody, _ forms: CodedForms, as coding: ContentCoding) {
        _ = backgroundThread.enqueue { [weak body, weak forms] in
            guard let body, let forms else { return }
            forms.encoding.withLock { _ in
                if !forms.hasForm(in: coding) { forms.keepFrequent(PreparedBody(coding.encode(body.bytes)), as: coding) }
            }
        }
    }

    /// Returns a response for one request with an encoded body. If the body becomes no smaller, returns the response itself unless an
    /// encoded body is required.
    private static func encode(_ response: Response, as coding: ContentCoding, isRequired: Bool) -> Response {
        guard let bytes = isRequired ? coding.encode(response.body) : coding.encodeIfSmaller(response.body) else { return response }
        return Response(status: response.status, headers: response.headers.coded(as: coding, status: response.status), body: bytes)
    }
}

extension ContentEncoder {
    /// Returns the coded form of a part of a stream, or nil if it must be encoded first. Small parts are stored without compression.
    func part(_ part: PreparedBody) -> CodedPart? {
        if part.bytes.count < CodedPart.storedByteCount { return CodedPart(GzipStream.Part(storing: part.bytes)) }
        let forms = forms(of: part)
        if let known = forms.part { return known }
        return part.bytes.count <= Self.inlineByteCount ? encode(part: part, forms) : nil
    }

    /// Encodes a part of a stream on a thread. All streams that send the part wait for one job. If too many bodies wait for a thread, the
    /// part is encoded at once.
    func encodedPart(_ part: PreparedBody) async -> CodedPart {
        let forms = forms(of: part)
        let job = forms.job(for: .gzip) {
            Task { [threads] in
                _ = try? await threads.run { self.encode(part: part, forms) }
                forms.endJob(for: .gzip)
            }
        }
        await job.value
        return forms.part ?? encode(part: part, forms)
    }

    private func encode(part: PreparedBody, _ forms: CodedForms) -> CodedPart {
        forms.encoding.withLock { _ in
            if let known = forms.part { return known }
            let encoded = CodedPart(GzipStream.Part(part.bytes))
            forms.keep(encoded)
            return encoded
        }
    }
}

extension Headers {
    /// A Boolean value that indicates whether a body with these fields may be encoded: it is not encoded yet, and `Cache-Control` does not
    /// forbid it (RFC 9111, section 5.2.2.6).
    var allowsEncoding: Bool {
        self["Content-Encoding"] == nil && self["Cache-Control"]?.contains(CacheTerms.forbiddenEncoding) != true
    }
}
