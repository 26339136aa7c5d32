/// A number that grows with each commit, the same for all replicas.
///
/// Clients get and send it as a token (`PositionTokens`), so that no one has others wait for a commit that was never made.
public struct Position: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// Not negative.
    public let number: Int64

    public init(number: Int64) {
        self.number = number
    }

    /// Reads a whole number in decimal digits, without a sign; nil for anything else.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int64(text) else {
            return nil
        }
        self.number = number
    }

    public var description: String { String(number) }

    public static func < (a: Position, b: Position) -> Bool {
        a.number < b.number
    }
}
