/// Names the content of a snapshot: equal content has an equal version, on every replica.
///
/// A 128-bit keyed hash; clients hold its text form and treat it as opaque.
public struct Version: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
