/// The pseudorandom function SipHash-2-4 for one word of 64 bits or for bytes. Its values cannot be predicted without the key (Aumasson and Bernstein,
/// "SipHash: a fast short-input PRF", 2012).
struct SipHash: Sendable {
    private let first, second: UInt64

    init(key: some Collection<UInt8>) {
        precondition(key.count == 16, "SipHash takes a key of 16 bytes")
        (first, second) = (Self.word(key.prefix(8)), Self.word(key.dropFirst(8)))
    }

    /// Returns the hash of the eight bytes of a word, beginning with the least significant byte.
    func hash(_ word: UInt64) -> UInt64 {
        var state = State(first, second)
        state.take(word)
        return state.end(with: 0, byteCount: 8)
    }

    /// Returns the hash of bytes.
    func hash(_ bytes: [UInt8]) -> UInt64 {
        var state = State(first, second)
        let wordCount = bytes.count / 8
        for index in 0..<wordCount { state.take(Self.word(bytes[(8 * index)..<(8 * index + 8)])) }
        return state.end(with: Self.word(bytes[(8 * wordCount)...]), byteCount: bytes.count)
    }

    /// Returns the word with these bytes, beginning with the least significant byte.
    private static func word(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct State {
        var a, b, c, d: UInt64

        init(_ first: UInt64, _ second: UInt64) {
            (a, b) = (first ^ 0x736f_6d65_7073_6575, second ^ 0x646f_7261_6e64_6f6d)
            (c, d) = (first ^ 0x6c79_6765_6e65_7261, second ^ 0x7465_6462_7974_6573)
        }

        /// Takes the remaining bytes, of which there are at most 7, and returns the hash of all bytes.
        mutating func end(with rest: UInt64, byteCount: Int) -> UInt64 {
            // The last block contains the number of bytes.
            take(UInt64(truncatingIfNeeded: byteCount) << 56 | rest)
            c ^= 0xff
            for _ in 0..<4 { mix() }
            return a ^ b ^ c ^ d
        }

        mutating func take(_ block: UInt64) {
            d ^= block
            mix()
            mix()
            a ^= block
        }

        mutating func mix() {
            a &+= b
            b = a ^ b.rotated(by: 13)
            a = a.rotated(by: 32)
            c &+= d
            d = c ^ d.rotated(by: 16)
            a &+= d
            d = a ^ d.rotated(by: 21)
            c &+= b
            b = c ^ b.rotated(by: 17)
            c = c.rotated(by: 32)
        }
    }
}

extension UInt64 {
    fileprivate func rotated(by count: UInt64) -> UInt64 {
        self << count | self >> (64 - count)
    }
}
