import ContentCoding
import HTTPServer
import ScreenService
import Synchronization

/// The coded forms of a body that is sent many times. Each form is encoded once. The body retains this object.
final class CodedForms: Sendable {
    /// The result of looking up a response.
    enum Found {
        /// The coded response. `lacksFrequent` is true if the body was sent before and has no form in the coding for frequent bodies.
        case response(PreparedResponse, lacksFrequent: Bool)
        /// The response is sent as it is, because the coding does not make its body smaller.
        case unchanged
        case missing
    }

    private let memory: CodedMemory
    private let state = Mutex(State())
    private let used = Atomic(false)

    init(in memory: CodedMemory) {
        self.memory = memory
    }

    deinit {
        memory.remove(ObjectIdentifier(self))
    }

    func find(_ response: PreparedResponse, in codings: BodyCodings) -> Found {
        let (found, isNew) = state.withLock { state in
            // The request for which the body was encoded is not counted as a use.
            if state.wasFound { used.store(true, ordering: .relaxed) }
            return state.find(response, in: codings)
        }
        if isNew { memory.recordCost(of: self) }
        return found
    }

    /// Returns the job that encodes the body in a coding. If there is none, starts a job that keeps the result of `encode`.
    ///
    /// - Parameter encode: Returns the encoded body, or nil if the coding does not make the body smaller.
    func job(
        for coding: ContentCoding, _ encode: @escaping @Sendable () async throws -> PreparedBody?
    ) -> Task<PreparedBody?, any Error> {
        state.withLock { state in
            if let job = state.jobs[coding] { return job }
            // A job may have ended since the calling code looked for the form.
            if let form = state.forms[coding] { return Task { form.body } }
            let job = Task {
                let result: Result<PreparedBody?, any Error>
                do { result = .success(try await encode()) } catch { result = .failure(error) }
                self.state.withLock { state in
                    state.jobs[coding] = nil
                    if case .success(let body) = result { state.forms[coding] = Form(body: body) }
                }
                memory.recordCost(of: self)
                return try result.get()
            }
            state.jobs[coding] = job
            return job
        }
    }

    /// The encoded part of a stream, or nil if it was not encoded yet.
    var part: CodedPart? {
        let part = state.withLock { $0.part }
        if part != nil { used.store(true, ordering: .relaxed) }
        return part
    }

    /// Returns the encoded part of a stream. If there is none, encodes it with `encode`. Meanwhile other threads that need it wait.
    func part(encodedBy encode: () -> CodedPart) -> CodedPart {
        let part = state.withLock { state in
            let part = state.part ?? encode()
            state.part = part
            return part
        }
        memory.recordCost(of: self)
        return part
    }

    /// Returns the job that encodes the part of a stream. If there is none, starts a job that keeps the result of `encode`.
    func partJob(_ encode: @escaping @Sendable () async -> CodedPart) -> Task<CodedPart, Never> {
        state.withLock { state in
            if let job = state.partJob { return job }
            if let part = state.part { return Task { part } }
            let job = Task {
                let part = await encode()
                self.state.withLock { ($0.part, $0.partJob) = (part, nil) }
                memory.recordCost(of: self)
                return part
            }
            state.partJob = job
            return job
        }
    }

    /// The approximate number of bytes of all forms.
    fileprivate var cost: Int { state.withLock(\.cost) }

    /// Returns a Boolean value that indicates whether a form was used since the last call.
    fileprivate func takeUse() -> Bool { used.exchange(false, ordering: .relaxed) }

    /// Removes all forms, and returns them so that they are released without a lock.
    fileprivate func removeAll() -> any Sendable {
        state.withLock { state in
            let removed = state
            state = State(jobs: removed.jobs, partJob: removed.partJob)
            return removed
        }
    }
}

extension CodedForms {
    private struct Form: Sendable {
        /// The encoded body; nil if it is not smaller than the body.
        var body: PreparedBody?
        /// The responses with this body, at most ``responseLimit``. They differ in their header fields.
        var responses: [(fields: Headers, response: PreparedResponse)] = []

        /// Three for the status 200, as for a document without a content coding, and three for the status 304.
        private static let responseLimit = 6
        private static let responseCost = 2048

        var cost: Int { (body?.bytes.count ?? 0) + responses.count * Self.responseCost }

        /// Returns the response with this body instead of a response without a content coding, and whether the response is new. Returns nil
        /// if the response is sent as it is.
        mutating func response(insteadOf plain: PreparedResponse, in coding: ContentCoding) -> (PreparedResponse, isNew: Bool)? {
            guard let body else { return nil }
            let (status, fields) = (plain.response.status, plain.response.headers)
            for known in responses where known.response.response.status == status && known.fields == fields {
                return (known.response, false)
            }
            guard fields.allowsEncoding else { return nil }
            let headers = fields.coded(as: coding, status: status)
            let made = PreparedResponse(status: status, headers: headers, body: body, note: plain.response.note)
            // Responses with fields of their own, such as a position, must not replace those that many requests share.
            if responses.count == Self.responseLimit { return (made, false) }
            responses.append((fields, made))
            return (made, true)
        }
    }

    private struct State: Sendable {
        var forms: [ContentCoding: Form] = [:]
        /// The jobs that encode the body now.
        var jobs: [ContentCoding: Task<PreparedBody?, any Error>] = [:]
        /// The part of a stream that has these bytes.
        var part: CodedPart?
        var partJob: Task<CodedPart, Never>?
        /// A Boolean value that indicates whether a form was requested.
        var wasFound = false

        private static let fixedCost = 512

        var cost: Int { forms.values.reduce(Self.fixedCost) { $0 + $1.cost } + (part?.body.bytes.count ?? 0) }

        mutating func find(_ response: PreparedResponse, in codings: BodyCodings) -> (Found, isNew: Bool) {
            let isFrequent = forms[codings.frequent]?.body != nil
            let coding = isFrequent ? codings.frequent : codings.first
            guard forms[coding] != nil else { return (.missing, false) }
            guard let (found, isNew) = forms[coding]!.response(insteadOf: response, in: coding) else { return (.unchanged, false) }
            // A response without a body is no request for the body.
            if response.response.status == 304 { return (.response(found, lacksFrequent: false), isNew) }
            let lacksFrequent = wasFound && forms[codings.frequent] == nil && jobs[codings.frequent] == nil
            wasFound = true
            return (.response(found, lacksFrequent: lacksFrequent), isNew)
        }
    }
}

/// The memory of all coded forms. When they take too many bytes, those that were not used for the longest time are removed.
final class CodedMemory: Sendable {
    private struct Entry {
        weak var forms: CodedForms?
        let cost: Int
    }

    private let byteLimit: Int
    private let entries = Mutex(CostBoundedCache<ObjectIdentifier, Entry>(costLimit: .max))

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The approximate number of bytes of all forms.
    var bytes: Int { entries.withLock { $0.totalCost } }

    /// Records the cost of forms that have changed, and removes the oldest forms beyond the limit. Forms that alone take more bytes than the
    /// limit are removed at once.
    func recordCost(of forms: CodedForms) {
        // What is removed is released without the lock: it can be large, and the `deinit` of forms takes the lock.
        let removed = entries.withLock { entries -> [any Sendable] in
            // The cost is read under the lock, so that no older cost replaces it.
            let cost = forms.cost
            guard cost <= byteLimit else {
                _ = entries.remove(ObjectIdentifier(forms))
                return [forms.removeAll()]
            }
            _ = entries.insert(Entry(forms: forms, cost: cost), for: ObjectIdentifier(forms), cost: cost)
            var removed: [any Sendable] = []
            // The oldest forms are removed first. Forms that were used since this loop last considered them, and the new forms, become the
            // newest instead.
            var passLimit = entries.count
            while entries.totalCost > byteLimit, let (key, oldest) = entries.removeOldest() {
                guard let old = oldest.forms else { continue }
                removed.append(old)
                if passLimit > 0, old === forms || old.takeUse() {
                    passLimit -= 1
                    _ = entries.insert(oldest, for: key, cost: oldest.cost)
                } else {
                    removed.append(old.removeAll())
                }
            }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func remove(_ forms: ObjectIdentifier) {
        _ = entries.withLock { $0.remove(forms) }
    }
}

extension Headers {
    /// Returns the fields of a response whose body is encoded. A strong entity tag becomes weak, because all forms of a body share one tag.
    func coded(as coding: ContentCoding, status: Int = 200) -> Headers {
        var fields = Headers()
        for (name, value) in self {
            fields.append(name, name.lowercased() == "etag" && !value.hasPrefix("W/") ? "W/" + value : value)
        }
        if status != 304 { fields.append("Content-Encoding", coding.rawValue) }
        return fields
    }

    /// A Boolean value that indicates whether a body with these fields may be encoded: it is not encoded yet, and `Cache-Control` does not
    /// forbid it (RFC 9111, section 5.2.2.6).
    var allowsEncoding: Bool {
        self["Content-Encoding"] == nil && list(of: "Cache-Control")?.lowercased().contains(CacheTerms.forbiddenEncoding) != true
    }
}
