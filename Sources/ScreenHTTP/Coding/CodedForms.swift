import ContentCoding
import HTTPServer
import ScreenService
import Synchronization

/// The coded forms of a body that is sent many times. Each form is encoded once. The body retains this object.
final class CodedForms: Sendable {
    /// The result of looking up a response.
    enum Found {
        case response(PreparedResponse)
        /// The coding does not make the body smaller.
        case useless
        case missing
    }

    private struct Form {
        /// The encoded body; nil if it is not smaller than the body.
        var body: PreparedBody?
        /// The responses with this body, at most ``responseLimit``. They differ in their header fields.
        var responses: [(fields: Headers, response: PreparedResponse)] = []

        mutating func find(_ response: PreparedResponse, in coding: ContentCoding) -> PreparedResponse? {
            guard let body else { return nil }
            let (status, fields) = (response.response.status, response.response.headers)
            for known in responses where known.response.response.status == status && known.fields == fields { return known.response }
            let made = PreparedResponse(status: status, headers: fields.coded(as: coding, status: status), body: body)
            if responses.count == responseLimit { responses.removeFirst() }
            responses.append((fields, made))
            return made
        }
    }

    private struct State {
        var forms: [ContentCoding: Form] = [:]
        /// The part of a stream that has these bytes.
        var part: CodedPart?
        /// The jobs that encode the body now.
        var jobs: [ContentCoding: Task<Void, Never>] = [:]
        var wasFound = false
        var isRequestedAgain = false

        var responseCount: Int { forms.values.reduce(0) { $0 + $1.responses.count } }

        mutating func find(
            _ response: PreparedResponse, in codings: BodyCodings, _ isRequestedAgain: inout Bool, _ used: borrowing Atomic<Bool>
        ) -> Found {
            // The request for which the body was encoded is not counted as a use.
            if wasFound { used.store(true, ordering: .relaxed) }
            if codings.frequent != codings.first, let found = forms[codings.frequent]?.find(response, in: codings.frequent) {
                return .response(found)
            }
            guard forms[codings.first] != nil else { return .missing }
            guard let found = forms[codings.first]!.find(response, in: codings.first) else { return .useless }
            // A response without a body is no request for the body.
            if response.response.status == 304 { return .response(found) }
            if wasFound, codings.frequent != codings.first, !self.isRequestedAgain {
                (self.isRequestedAgain, isRequestedAgain) = (true, true)
            }
            wasFound = true
            return .response(found)
        }

        /// The approximate number of bytes of all forms.
        var cost: Int {
            forms.values.reduce(CodedForms.fixedCost) { $0 + ($1.body?.bytes.count ?? 0) + $1.responses.count * CodedForms.responseCost }
                + (part?.body.bytes.count ?? 0)
        }
    }

    /// Three for the status 200, as for a document without a content coding, and three for the status 304.
    private static let responseLimit = 6
    private static let responseCost = 2048
    private static let fixedCost = 512
    private let memory: CodedMemory
    private let state = Mutex(State())
    /// The lock that keeps two threads from encoding the same form.
    let encoding = Mutex(())
    private let used = Atomic(false)

    init(in memory: CodedMemory) {
        self.memory = memory
    }

    deinit {
        memory.remove(ObjectIdentifier(self))
    }

    /// Returns the coded form of a response.
    ///
    /// - Parameter isRequestedAgain: It is set to true if the body should now be encoded in the coding for frequent bodies. This happens once.
    func find(_ response: PreparedResponse, in codings: BodyCodings, isRequestedAgain: inout Bool) -> Found {
        let (found, cost) = state.withLock { state -> (Found, Int?) in
            let before = state.responseCount
            let found = state.find(response, in: codings, &isRequestedAgain, used)
            return (found, state.responseCount == before ? nil : state.cost)
        }
        if let cost { memory.keep(self, cost: cost) }
        return found
    }

    func hasForm(in coding: ContentCoding) -> Bool { state.withLock { $0.forms[coding] != nil } }

    /// Returns the job that encodes the body now, or starts one with `start`.
    func job(for coding: ContentCoding, _ start: () -> Task<Void, Never>) -> Task<Void, Never> {
        state.withLock { state in
            if let job = state.jobs[coding] { return job }
            let job = start()
            state.jobs[coding] = job
            return job
        }
    }

    func endJob(for coding: ContentCoding) { state.withLock { $0.jobs[coding] = nil } }

    /// Stores an encoded body. The calling code holds ``encoding``. `body` is nil if the coding does not make the body smaller.
    func keep(_ body: PreparedBody?, as coding: ContentCoding) {
        state.withLock { $0.forms[coding] = Form(body: body) }
        memory.keep(self, cost: state.withLock(\.cost))
    }

    /// Stores a body in a coding for frequent bodies, unless there is a smaller form. The calling code holds ``encoding``.
    func keepFrequent(_ body: PreparedBody, as coding: ContentCoding) {
        state.withLock { state in
            // If there is no form, all forms were discarded, so the body is no longer frequent.
            let least = state.forms.values.compactMap { $0.body?.bytes.count }.min() ?? 0
            if body.bytes.count < least { state.forms[coding] = Form(body: body) }
        }
        memory.keep(self, cost: state.withLock(\.cost))
    }

    /// The encoded part of a stream, or nil if it was not encoded yet.
    var part: CodedPart? {
        used.store(true, ordering: .relaxed)
        return state.withLock { $0.part }
    }

    func keep(_ part: CodedPart) {
        state.withLock { $0.part = part }
        memory.keep(self, cost: state.withLock(\.cost))
    }

    /// Returns a Boolean value that indicates whether a form was used since the last call.
    func takeUse() -> Bool { used.exchange(false, ordering: .relaxed) }

    func discard() {
        state.withLock { $0 = State(jobs: $0.jobs) }
    }
}

/// The memory of all coded forms. When they take too many bytes, those that were not used for the longest time are discarded.
final class CodedMemory: Sendable {
    private struct Kept {
        weak var forms: CodedForms?
        let cost: Int
    }

    private let byteLimit: Int
    private let kept = Mutex(CostBoundedCache<ObjectIdentifier, Kept>(costLimit: .max))

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The approximate number of bytes of all forms.
    var bytes: Int { kept.withLock { $0.totalCost } }

    func keep(_ forms: CodedForms, cost: Int) {
        let (discarded, others) = kept.withLock { kept in
            _ = kept.insert(Kept(forms: forms, cost: cost), for: ObjectIdentifier(forms), cost: cost)
            var (discarded, others): ([CodedForms], [CodedForms]) = ([], [])
            // Forms that were used since they were passed over are passed over once more, and so are the new forms.
            var passLimit = kept.count
            while kept.totalCost > byteLimit, let (key, oldest) = kept.removeOldest() {
                guard let old = oldest.forms else { continue }
                if passLimit > 0, old === forms || old.takeUse() {
                    passLimit -= 1
                    others.append(old)
                    _ = kept.insert(oldest, for: key, cost: oldest.cost)
                } else {
                    discarded.append(old)
                }
            }
            return (discarded, others)
        }
        for forms in discarded { forms.discard() }
        // The last reference to a form must not be released under the lock, because its `deinit` takes the lock.
        withExtendedLifetime(others) {}
    }

    func remove(_ forms: ObjectIdentifier) {
        _ = kept.withLock { $0.remove(forms) }
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
}
