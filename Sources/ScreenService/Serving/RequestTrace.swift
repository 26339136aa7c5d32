import Synchronization

/// The ids of a request, with which its log lines, its problem and its requests to other servers can be found.
///
/// In the code of screens, actions and routes, ``current`` is the trace of the request. A computation that several requests share has the
/// trace of the request that started it.
///
/// ```swift
/// var request = URLRequest(url: upstream)
/// for (name, value) in RequestTrace.current?.fields ?? [] { request.setValue(value, forHTTPHeaderField: name) }
/// ```
public struct RequestTrace: Sendable {
    /// The trace of the request for which the current task works; `nil` if it works for no request.
    @TaskLocal public static var current: RequestTrace?

    /// The fields that the client has sent. They are an object, because a trace is copied several times for each request.
    private final class Sent: Sendable {
        let hasID: Bool
        /// The id; nil if it is invalid or missing.
        let id: String?
        let parent: TraceParent?

        init(id: String?, _ parent: TraceParent?) {
            hasID = id != nil
            self.id = id.flatMap { RequestTrace.isValid($0) ? $0 : nil }
            self.parent = parent
        }
    }

    /// The number of a new id. It is made into a text only when it is read, because most requests need no text.
    private let number: UInt64
    /// The fields that the client has sent; nil if there are none.
    private let sent: Sent?

    /// Creates the trace of a request.
    ///
    /// - Parameters:
    ///   - requestID: The value of `X-Request-Id`. If it does not have 1 to 128 visible ASCII characters, it is replaced. Without it, a new
    ///     id is made.
    ///   - traceparent: The value of `traceparent` (W3C Trace Context). An invalid value is ignored.
    public init(requestID: String? = nil, traceparent: String? = nil) {
        sent = requestID == nil && traceparent == nil ? nil : Sent(id: requestID, traceparent.flatMap(TraceParent.init))
        number = Self.nextNumber
    }

    /// The id of the request, which consists of visible ASCII characters.
    public var requestID: String { sent?.id ?? Self.processPrefix + number.hexadecimal }

    /// A Boolean value that indicates whether the client has sent an id, so that the response has one, too.
    package var isRequested: Bool { sent?.hasID ?? false }

    /// The id of the trace that the client has started, in 32 hexadecimal digits; `nil` if the client has started none.
    public var traceID: String? { sent?.parent?.traceID }

    /// The header fields to send with requests to other servers: `X-Request-Id`, and `traceparent` with a new span if the client has
    /// started a trace.
    public var fields: [(name: String, value: String)] {
        [(Self.field, requestID)] + (sent?.parent.map { [(Self.parentField, $0.withNewSpan)] } ?? [])
    }

    package static let field = "X-Request-Id"
    package static let parentField = "traceparent"

    private static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    // MARK: - New ids

    // An id has a random part for the process and a number. A request only counts, because random numbers are slow.
    private static let processPrefix = UInt64.random(in: 0...UInt64.max).hexadecimal
    private static let firstNumber = UInt64.random(in: 0...UInt64.max)
    private static let count = Atomic<UInt64>(0)

    /// The next number. It is mixed, so that an id does not reveal the number of requests. Different counts have different numbers, because
    /// each step of the mixing can be undone (SplitMix64; Steele, Lea and Flood, 2014).
    private static var nextNumber: UInt64 {
        var number = firstNumber &+ count.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}

/// The value of `traceparent`: a trace and a span of the client (W3C Trace Context, section 3.2).
private struct TraceParent {
    private let high, low: UInt64
    private let flags: UInt8

    /// Reads a value of version 00, or the same members of a later version. Returns `nil` for an invalid value.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count >= 4, let version = UInt64(digits: parts[0], count: 2), version != 0xFF, version != 0 || parts.count == 4,
            parts[1].count == 32, let high = UInt64(digits: parts[1].prefix(16), count: 16),
            let low = UInt64(digits: parts[1].suffix(16), count: 16), high | low != 0,
            let span = UInt64(digits: parts[2], count: 16), span != 0, let flags = UInt64(digits: parts[3], count: 2)
        else { return nil }
        // The meaning of the other flags is not known (section 3.2.2.5.1).
        (self.high, self.low, self.flags) = (high, low, UInt8(flags) & 1)
    }

    var traceID: String { high.hexadecimal + low.hexadecimal }

    var withNewSpan: String {
        let span = UInt64.random(in: 1...UInt64.max)
        return "00-\(traceID)-\(span.hexadecimal)-0\(flags)"
    }
}

extension UInt64 {
    /// The number in 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads exactly `count` hexadecimal digits in lower case. Returns `nil` for any other text.
    fileprivate init?(digits: some Collection<UInt8>, count: Int) {
        guard digits.count == count else { return nil }
        self = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}
