import CZlib

/// A compressor of zlib.
struct Deflate: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    private static let level: Int32 = 6

    /// - Parameter windowBits: The window as a power of two in bytes. It is negative for bytes without a header and an end, and greater by 16
    ///   for gzip.
    init(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Self.level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { fatalError("out of memory for a compressed body") }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Encodes all bytes. This function can be called once.
    func encode(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        // A flush adds at most an empty block, which the bound does not count.
        encodedBytes(atMost: Int(deflateBound(stream, UInt(bytes.count))) + 16) { output in
            bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = deflate(stream, flush)
                guard status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK), stream.pointee.avail_in == 0 else {
                    fatalError("a compressed body does not fit in its bound")
                }
            }
            return output.count - Int(stream.pointee.avail_out)
        }
    }
}
