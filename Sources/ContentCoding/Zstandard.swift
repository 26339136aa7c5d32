import CZstd
import Synchronization

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
    /// Contexts for the level 3 that are not in use. A new context takes longer to create than a small body takes to encode.
    private static let idle = Mutex<[Context]>([])
    private static let idleLimit = 8

    /// Returns one frame. Frames can be concatenated.
    ///
    /// - Parameter level: 1 to 19. Up to this level, the window has at most 8 MB, as HTTP requires (RFC 9659, section 3).
    static func encode(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        Context(level: level).encode(bytes)
    }

    /// Returns one frame with the level 3.
    static func encodeFast(_ bytes: [UInt8]) -> [UInt8] {
        let context = idle.withLock { $0.popLast() } ?? Context(level: 3)
        defer { idle.withLock { if $0.count < idleLimit { $0.append(context) } } }
        return context.encode(bytes)
    }

    /// `@unchecked Sendable`: a context is used by one thread at a time.
    private final class Context: @unchecked Sendable {
        private let pointer: OpaquePointer

        init(level: Int32) {
            guard let pointer = ZSTD_createCCtx() else { fatalError("out of memory for a compressed body") }
            self.pointer = pointer
            ZSTD_CCtx_setParameter(pointer, ZSTD_c_compressionLevel, level)
        }

        deinit {
            ZSTD_freeCCtx(pointer)
        }

        func encode(_ bytes: [UInt8]) -> [UInt8] {
            encodedBytes(atMost: ZSTD_compressBound(bytes.count)) { output in
                let count = bytes.withUnsafeBytes { ZSTD_compress2(pointer, output.baseAddress, output.count, $0.baseAddress, $0.count) }
                guard ZSTD_isError(count) == 0 else { fatalError("out of memory for a compressed body") }
                return count
            }
        }
    }
}
