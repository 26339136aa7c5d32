/// The body of one request, from the end of the head until the request has its answer.
///
/// Its memory grows with what has come, at most to twice that and never beyond the length that the head names, and counts
/// in the limit of all bodies until the object is gone: the handler may hold the bytes for as long as it works.
final class IncomingBody {
    /// The bytes that the head names.
    private let length: Int
    /// A Boolean value that indicates whether the client sends the body only when it is asked for it.
    let expectsContinue: Bool
    /// The reason why it is not taken.
    private(set) var refusal: Refusal?
    /// A Boolean value that indicates whether the library is still at the end of the head, so that it can be decided what
    /// becomes of the body.
    var isAhead: Bool

    private let metrics: HTTPServer.Metrics
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The memory that it counts for.
    private var taken = 0

    init(length: Int, expectsContinue: Bool, refusal: Refusal?, isAhead: Bool, in shared: SharedState) {
        self.length = length
        self.expectsContinue = expectsContinue
        self.refusal = refusal
        self.isAhead = isAhead
        metrics = shared.metrics
        limit = shared.configuration.maximumBodyBytesInAll
    }

    deinit {
        metrics.giveBackBodyBytes(taken)
    }

    /// Adds bytes that have come. Returns false where there is no memory left for them: then it is refused.
    func append(_ part: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count + part.count
        if count > taken {
            let capacity = max(min(2 * taken, length), count)
            guard metrics.takeBodyBytes(capacity - taken, of: limit) else {
                refuse()
                return false
            }
            taken = capacity
            bytes.reserveCapacity(capacity)
        }
        bytes.append(contentsOf: part)
        return true
    }

    private func refuse() {
        refusal = .tooManyBodyBytes
        bytes = []
        metrics.giveBackBodyBytes(taken)
        taken = 0
    }

    /// Hands the bytes over, once.
    func take() -> Result<[UInt8], Refusal> {
        if let refusal { return .failure(refusal) }
        defer { bytes = [] }
        return .success(bytes)
    }
}
