import CZlib

/// A content coding of HTTP, with its name in header fields (RFC 9110, section 8.4.1).
///
/// Each coding has one level, because more effort saves few bytes for its time. These are documents of the examples, in bytes and in
/// microseconds of processor time:
///
/// | bytes | zstd 3 | br 5 | gzip 6 | more effort: zstd 9 | br 9 | br 11 | gzip 9 |
/// |---|---|---|---|---|---|---|---|
/// | 579 | 368, 9 | 323, 35 | 353, 18 | 367, 44 | 316, 850 | 311, 1930 | 353, 15 |
/// | 2,188 | 667, 15 | 589, 65 | 623, 32 | 638, 75 | 590, 1240 | 528, 5030 | 623, 28 |
/// | 32,515 | 7574, 100 | 6930, 860 | 7196, 800 | 6923, 750 | 6735, 11900 | 5651, 54300 | 7072, 1660 |
/// | 837,036 | 31246, 800 | 24877, 8500 | 50230, 8260 | 24296, 13500 | 24551, 35800 | 21115, 2627000 | 48544, 34300 |
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case zstd, br, gzip

    /// The minimum size of a body in bytes that is worth encoding. `Content-Encoding` and its value take about 25 bytes.
    public static let leastByteCount = 256
    /// The minimum number of bytes by which an encoded body must be smaller than the body.
    public static let leastGain = 32

    /// Returns a body in this coding, or nil if the body should be sent as it is, because encoding saves too little.
    public func encodeIfSmaller(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= Self.leastByteCount else { return nil }
        let encoded = encode(bytes)
        return encoded.count + Self.leastGain <= bytes.count ? encoded : nil
    }

    /// Returns bytes in this coding.
    public func encode(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .zstd: Zstandard.encode(bytes)
        case .br: Brotli.encode(bytes)
        case .gzip: Deflate(windowBits: MAX_WBITS + 16).encode(bytes, Z_FINISH)
        }
    }
}

/// Returns the bytes that `encode` writes into memory of a greatest size. The result takes no more memory than its bytes.
///
/// - Parameter encode: A function that writes bytes and returns their number.
func encodedBytes(atMost limit: Int, _ encode: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> [UInt8] {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: limit)
    defer { memory.deallocate() }
    return Array(memory.prefix(encode(memory)))
}
