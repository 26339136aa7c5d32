/// The body of one request, from the end of the head until the request has its answer.
///
/// Its memory grows with what has come: to at most twice that, at most 64 KB more than that, and at most the length that the
/// head names. It counts in the limits of bodies until the object is gone: the handler may hold the bytes for as long as it works.
final class IncomingBody {
    /// The bytes that the head names.
    private let length: Int
    /// A Boolean value that indicates whether the client sends the body only when it is asked for it.
    let expectsContinue: Bool
    /// The reason why it is not taken.
    private(set) var refusal: Refusal?
    /// A Boolean value that indicates whether it is still undecided if the body is read.
    var isUndecided: Bool

    /// The reply that asks for it; nil where none does.
    var reply: Reply?
    /// The caller whose share counts it.
    private var caller: (any Hashable & Sendable)?

    /// The greatest number of bytes that are reserved beyond those that have come.
    private static let longestStep = 64 * 1024

    private let metrics: HTTPServer.Metrics
    private let memory: BodyMemory
    /// The first bytes, which the memory for bodies does not count.
    private let admitted: Int
    private var bytes: [UInt8] = []
    /// The number of bytes reserved for it, with the first bytes.
    private var reserved = 0

    init(length: Int, expectsContinue: Bool, refusal: Refusal?, isUndecided: Bool, in shared: SharedState) {
        self.length = length
        self.expectsContinue = expectsContinue
        self.refusal = refusal
        self.isUndecided = isUndecided
        metrics = shared.metrics
        memory = shared.bodyMemory
        admitted = shared.configuration.admittedBodyBytes
    }

    deinit {
        giveBack()
    }

    /// Takes the terms of the handler. Returns false where the body is longer than these allow: then it is refused.
    func accept(_ reading: Reply.Reading) -> Bool {
        caller = reading.caller
        guard length > reading.limit else { return true }
        refusal = .bodyTooLarge(limit: reading.limit)
        return false
    }

    /// Adds bytes that have come. Returns false where there is no memory left for them: then it is refused.
    func append(_ part: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count + part.count
        if count > reserved {
            let capacity = max(min(2 * reserved, reserved + Self.longestStep, length), count)
            if let refusal = reserve(capacity) {
                self.refusal = refusal
                metrics.countRefusedBody()
                bytes = []
                giveBack()
                return false
            }
            bytes.reserveCapacity(capacity)
        }
        bytes.append(contentsOf: part)
        return true
    }

    /// Reserves memory up to a capacity. Returns the refusal where there is not that much left.
    private func reserve(_ capacity: Int) -> Refusal? {
        let further = max(capacity - admitted, 0) - max(reserved - admitted, 0)
        if further > 0, let refusal = memory.reserve(further, for: caller) { return refusal }
        metrics.countBodyBytes(capacity - reserved)
        reserved = capacity
        return nil
    }

    private func giveBack() {
        if reserved > admitted { memory.giveBack(reserved - admitted, of: caller) }
        metrics.countBodyBytes(-reserved)
        reserved = 0
    }

    /// Hands the bytes over, once.
    func take() -> Result<[UInt8], Refusal> {
        if let refusal { return .failure(refusal) }
        defer { bytes = [] }
        return .success(bytes)
    }
}
