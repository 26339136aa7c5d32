import ContentCoding
import HTTPServer
import ScreenService

/// Encodes responses in the content coding that their client prefers.
///
/// A prepared body is encoded once for each coding, and the coded form is kept. For a client that accepts several codings, a body is encoded
/// in the fastest one at first. If the body is requested again, it is encoded in the background in the coding that makes it smallest.
final class ContentEncoder: Sendable {
    /// The minimum size in bytes of a body that is encoded for one request. A smaller one fits into one packet in any case.
    static let leastSingleByteCount = 1024
    /// The maximum size in bytes of a body, or of a part of a stream, that is encoded on the event loop. It takes about 0.1 ms.
    static let inlineByteCount = 4096

    private static let overload = "Too many responses wait to be compressed; try again, or accept responses without compression."

    /// The groups of jobs. Their jobs take turns, so that many jobs of one kind do not delay the others.
    private enum JobGroup {
        /// Bodies that are requested for the first time.
        static let first = "first"
        /// Bodies that are requested again. No request waits for these jobs.
        static let frequent = "frequent"
        /// Bodies that are sent once.
        static let single = "single"
        /// Parts of streams.
        static let parts = "parts"
    }

    private let memory: CodedMemory
    private let threads: BlockingWork

    /// Creates an encoder. `byteLimit` is the maximum number of bytes of all coded forms.
    init(byteLimit: Int, threads: BlockingWork = BlockingWork(width: 3, waitingLimit: 1024, isShared: true)) {
        memory = CodedMemory(byteLimit: byteLimit)
        self.threads = threads
    }

    /// The approximate number of bytes of all coded forms.
    var bytes: Int { memory.bytes }

    /// Returns a reply whose response is encoded as the client prefers.
    func encode(_ reply: consuming Reply, for accepted: AcceptedCodings) -> Reply {
        if accepted.ofBody == nil { return reply }
        // The most frequent path creates no closure.
        guard case .now(let answer) = reply.content else { return reply.flatMap { self.encode($0, for: accepted) } }
        reply.content = encode(answer, for: accepted).content
        return reply
    }

    private func encode(_ answer: Answer, for accepted: AcceptedCodings) -> Reply {
        switch answer {
        case .stream(let stream):
            guard accepted.prefersGzipStream, stream.headers.allowsEncoding else { return .now(answer) }
            return .now(.stream(CodedStream.encode(stream, self)))
        case .response(let response):
            return encode(response, for: accepted)
        case .prepared(let response):
            return encode(response, for: accepted)
        }
    }

    /// Returns the reply with a response that is sent once.
    private func encode(_ response: Response, for accepted: AcceptedCodings) -> Reply {
        let isRequired = !accepted.acceptsIdentity
        guard let coding = accepted.ofBody?.single, !response.body.isEmpty,
            isRequired || response.body.count >= Self.leastSingleByteCount, response.headers.allowsEncoding
        else { return .response(response) }
        let encoded: @Sendable () -> Answer = {
            guard let bytes = isRequired ? coding.encode(response.body) : coding.encodeIfSmaller(response.body) else {
                return .response(response)
            }
            var headers = response.headers.coded(as: coding, status: response.status)
            if headers.list(of: "Vary")?.lowercased().contains("accept-encoding") != true { headers.append("Vary", "Accept-Encoding") }
            return .response(Response(status: response.status, headers: headers, body: bytes, note: response.note))
        }
        if response.body.count <= Self.inlineByteCount { return .now(encoded()) }
        return .later { [threads] in
            if let answer = try? await threads.run(for: JobGroup.single, encoded) { return answer }
            // Too many bodies wait for a thread. This one is sent as it is, unless the client refuses that.
            return .response(isRequired ? Problem(kind: .unavailable, detail: Self.overload).response(to: .current) : response)
        }
    }

    /// Returns the reply with a response whose coded form is kept.
    private func encode(_ response: PreparedResponse, for accepted: AcceptedCodings) -> Reply {
        let count = response.body.bytes.count
        guard let codings = accepted.ofBody, count >= ContentCoding.leastByteCount || !accepted.acceptsIdentity && count > 0 else {
            return .prepared(response)
        }
        let forms = response.body.attachment { CodedForms(in: memory) }
        switch forms.find(response, in: codings) {
        case .response(let found, let lacksFrequent):
            if lacksFrequent { _ = job(for: codings.frequent, of: response.body, forms, group: JobGroup.frequent) }
            return .prepared(found)
        case .unchanged:
            return unchanged(response, for: accepted)
        case .missing:
            guard response.response.headers.allowsEncoding else { return .prepared(response) }
            return .later {
                let body = try? await self.job(for: codings.first, of: response.body, forms).value
                if case .response(let found, _) = forms.find(response, in: codings) { return .prepared(found) }
                guard let body else { return try await self.unchanged(response, for: accepted).answer }
                // The form was removed at once, because it takes too many bytes.
                let status = response.response.status
                let headers = response.response.headers.coded(as: codings.first, status: status)
                return .prepared(PreparedResponse(status: status, headers: headers, body: body, note: response.response.note))
            }
        }
    }

    /// Returns the reply with a response that has no coded form. If the client refuses it, it is encoded for this request.
    private func unchanged(_ response: PreparedResponse, for accepted: AcceptedCodings) -> Reply {
        accepted.acceptsIdentity ? .prepared(response) : encode(response.response, for: accepted)
    }

    /// Returns the job that encodes a body on a thread. All requests that need the same form wait for one job. The job does not retain the
    /// body while it waits.
    private func job(
        for coding: ContentCoding, of body: PreparedBody, _ forms: CodedForms, group: String = JobGroup.first
    ) -> Task<PreparedBody?, any Error> {
        forms.job(for: coding) { [threads, weak body] in
            try await threads.run(for: group) { [weak body] in
                guard let body else { throw CancellationError() }
                return coding.encodeIfSmaller(body.bytes).map { PreparedBody($0) }
            }
        }
    }
}

extension ContentEncoder {
    /// Returns the coded form of a part of a stream, or nil if it must be encoded first. Small parts are stored without compression.
    func part(_ part: PreparedBody) -> CodedPart? {
        if part.bytes.count < CodedPart.storedByteCount { return CodedPart(GzipStream.Part(storing: part.bytes)) }
        let forms = part.attachment { CodedForms(in: memory) }
        if let known = forms.part { return known }
        guard part.bytes.count <= Self.inlineByteCount else { return nil }
        return forms.part { CodedPart(GzipStream.Part(part.bytes)) }
    }

    /// Encodes a part of a stream on a thread. All streams that send the part wait for one job.
    func encodedPart(_ part: PreparedBody) async -> CodedPart {
        let job = part.attachment { CodedForms(in: memory) }.partJob { [threads] in
            let encoded = try? await threads.run(for: JobGroup.parts) { GzipStream.Part(part.bytes) }
            // If too many parts wait for a thread, this one is not compressed.
            return CodedPart(encoded ?? GzipStream.Part(storing: part.bytes))
        }
        return await job.value
    }
}
