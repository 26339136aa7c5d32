import CZstd
import Synchronization

/// Zstandard (RFC 8878).
enum Zstandard {
    /// The window of this level is smaller than 8 MB, the largest that HTTP allows (RFC 9659, section 3).
    private static let level: Int32 = 3
    /// The contexts that are not in use. A new context takes longer to create than a small body takes to encode.
    private static let idle = Mutex<[Context]>([])
    private static let idleLimit = 4
    /// The maximum size in bytes of a body that is encoded with one of them. A context keeps the memory that its largest body needed.
    private static let idleByteCount = 1 << 18

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.count > idleByteCount { return Context().encode(bytes) }
        let context = idle.withLock { $0.popLast() } ?? Context()
        defer { idle.withLock { if $0.count < idleLimit { $0.append(context) } } }
        return context.encode(bytes)
    }

    /// `@unchecked Sendable`: a context is used by one thread at a time.
    private final class Context: @unchecked Sendable {
        private let pointer: OpaquePointer

        init() {
            guard let pointer = ZSTD_createCCtx() else { fatalError("out of memory for a compressed body") }
            self.pointer = pointer
            ZSTD_CCtx_setParameter(pointer, ZSTD_c_compressionLevel, Zstandard.level)
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
