/// A content coding of HTTP, with its name in header fields (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case zstd, br, gzip

    /// The time that encoding takes, and the size of its result.
    public enum Effort: Hashable, Sendable {
        /// For bytes that are encoded while a client waits.
        case fast
        /// For bytes that are sent many times. Encoding takes about twenty times as long as with `fast`.
        case thorough
    }

    /// Returns bytes in this coding.
    public func encode(_ bytes: [UInt8], _ effort: Effort) -> [UInt8] {
        switch self {
        case .zstd: effort == .fast ? Zstandard.encodeFast(bytes) : Zstandard.encode(bytes, level: 12)
        // The quality 10 takes 0.6 s for a body of 800 kB, and saves only a tenth more.
        case .br: Brotli.encode(bytes, quality: effort == .fast ? 5 : bytes.count > 1 << 16 ? 9 : 10)
        case .gzip: Gzip.encode(bytes, level: effort == .fast ? 4 : 9)
        }
    }
}
