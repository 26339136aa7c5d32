/// The pseudorandom function SipHash-2-4 for one word of 64 bits. Its values cannot be predicted without the key (Aumasson and Bernstein,
/// "SipHash: a fast short-input PRF", 2012).
struct SipHash: Sendable {
    private let first, second: UInt64

    init(key: some Collection<UInt8>) {
        precondition(key.count == 16, "SipHash takes a key of 16 bytes")
        func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        (first, second) = (word(key.prefix(8)), word(key.dropFirst(8)))
    }

    /// Returns the hash of the eight bytes of a word, beginning with the least significant byte.
    func hash(_ word: UInt64) -> UInt64 {
        var state = State(
            a: first ^ 0x736f_6d65_7073_6575, b: second ^ 0x646f_7261_6e64_6f6d,
            c: first ^ 0x6c79_6765_6e65_7261, d: second ^ 0x7465_6462_7974_6573
        )
        state.take(word)
        // The last block contains the number of bytes, which is 8.
        state.take(8 << 56)
        state.c ^= 0xff
        for _ in 0..<4 { state.mix() }
        return state.a ^ state.b ^ state.c ^ state.d
    }

    private struct State {
        var a, b, c, d: UInt64

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
