import CZstd

extension ContentCoding {
    /// Returns one frame of zstd with at most 255 bytes that are not compressed.
    public static func storedFrame(_ bytes: [UInt8]) -> [UInt8] {
        // The magic number, the description of a frame whose size takes one byte, and the header of the last block (RFC 8878, section 3.1).
        let block = 1 | bytes.count << 3
        return [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(bytes.count), UInt8(truncatingIfNeeded: block), UInt8(block >> 8), 0] + bytes
    }
}

/// Zstandard (RFC 8878).
enum Zstandard {
    /// Returns one frame. Frames can be concatenated.
    ///
    /// - Parameter level: 1 to 19. Up to this level, the window has at most 8 MB, as HTTP requires (RFC 9659, section 3).
    static func encode(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        guard let context = ZSTD_createCCtx() else { fatalError("out of memory for a compressed body") }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        return [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { output, count in
            count = bytes.withUnsafeBytes { ZSTD_compress2(context, output.baseAddress, output.count, $0.baseAddress, $0.count) }
            guard ZSTD_isError(count) == 0 else { fatalError("out of memory for a compressed body") }
        }
    }
}
