/// The body of one request, from the end of the head to the response.
///
/// Memory is reserved while bytes are received: at most twice the received bytes, at most 64 KB more than the received bytes, and at most
/// the content length. The memory stays reserved until this object is freed, because the handler may still hold the bytes.
final class IncomingBody {
    private let length: Int
    let expectsContinue: Bool
    private(set) var refusal: Refusal?
    /// A Boolean value that is true until the server has decided whether to read the body.
    var isUndecided: Bool

    /// The reply that contains the body handler; nil until the body is accepted for reading.
    var reply: Reply?
    private var caller: (any Hashable & Sendable)?

    /// The maximum number of bytes that are reserved in advance.
    private static let maximumStep = 64 * 1024

    private let metrics: HTTPServer.Metrics
    private let memory: BodyMemory
    /// The number of bytes at the beginning of the body that are not counted against the memory limits.
    private let admitted: Int
    private var bytes: [UInt8] = []
    /// The number of bytes reserved for the body, including the `admitted` bytes.
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
        release()
    }

    /// Applies the length limit of the body handler. If the body is longer, rejects it and returns false.
    func accept(_ reading: Reply.Reading) -> Bool {
        caller = reading.caller
        guard length > reading.limit else { return true }
        refusal = .bodyTooLarge(limit: reading.limit)
        return false
    }

    /// Appends received bytes. Rejects the body and returns false if there is not enough memory left.
    func append(_ part: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count + part.count
        if count > reserved {
            let capacity = max(min(2 * reserved, reserved + Self.maximumStep, length), count)
            if let refusal = reserve(capacity) {
                self.refusal = refusal
                metrics.countRefusedBody()
                bytes = []
                release()
                return false
            }
            bytes.reserveCapacity(capacity)
        }
        bytes.append(contentsOf: part)
        return true
    }

    /// Increases the reserved memory to a capacity. If too little memory is left, returns the reason to reject the body instead.
    private func reserve(_ capacity: Int) -> Refusal? {
        let further = max(capacity - admitted, 0) - max(reserved - admitted, 0)
        if further > 0, let refusal = memory.reserve(further, for: caller) { return refusal }
        metrics.countBodyBytes(capacity - reserved)
        reserved = capacity
        return nil
    }

    private func release() {
        if reserved > admitted { memory.release(reserved - admitted, of: caller) }
        metrics.countBodyBytes(-reserved)
        reserved = 0
    }

    /// Removes the received bytes and returns them. If the body is rejected, returns the reason.
    func take() -> Result<[UInt8], Refusal> {
        if let refusal { return .failure(refusal) }
        defer { bytes = [] }
        return .success(bytes)
    }
}
