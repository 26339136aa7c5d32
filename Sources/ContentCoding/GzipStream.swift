import CZlib

/// A stream in gzip (RFC 1952) that is encoded in parts. Each part can be appended to any stream, because it refers to no earlier part.
///
/// A part ends with a full flush, so a client can decode it at once. The end of the stream has the checksum of all parts, which is computed
/// from their checksums.
public struct GzipStream: Sendable {
    /// A part of a stream.
    public struct Part: Sendable {
        /// The encoded bytes.
        public let bytes: [UInt8]
        fileprivate let checksum: UInt
        fileprivate let count: Int
        /// The value with which the checksum of a stream is combined with the checksum of the part.
        fileprivate let operation: UInt

        /// Encodes a part.
        public init(_ bytes: [UInt8]) {
            self.init(Deflate(windowBits: -MAX_WBITS).encode(bytes, Z_FULL_FLUSH), of: bytes)
        }

        /// Creates a part without compression.
        public init(storing bytes: [UInt8]) {
            var blocks: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: Int(UInt16.max)) {
                let block = bytes[start...].prefix(Int(UInt16.max))
                let count = UInt16(block.count)
                blocks += [0, UInt8(truncatingIfNeeded: count), UInt8(count >> 8), UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)]
                blocks += block
            }
            self.init(blocks, of: bytes)
        }

        private init(_ encoded: [UInt8], of bytes: [UInt8]) {
            self.bytes = encoded
            checksum = bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
            count = bytes.count
            operation = crc32_combine_gen(count)
        }
    }

    /// The first bytes of each stream: no name, no time, and an unknown system.
    public static let header: [UInt8] = [0x1f, 0x8b, UInt8(Z_DEFLATED), 0, 0, 0, 0, 0, 0, 0xff]

    private var checksum: UInt32 = 0
    private var count: UInt32 = 0

    /// Creates a stream without parts.
    public init() {}

    /// Adds a part to the checksum of the stream.
    public mutating func append(_ part: Part) {
        checksum = UInt32(truncatingIfNeeded: crc32_combine_op(UInt(checksum), part.checksum, part.operation))
        count &+= UInt32(truncatingIfNeeded: part.count)
    }

    /// The last bytes of the stream: an empty block, the checksum and the length.
    public var end: [UInt8] {
        [3, 0] + [checksum, count].flatMap { word in stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }
}
