import CBrotli

/// Brotli (RFC 7932).
enum Brotli {
    /// - Parameter quality: 0 to 11.
    static func encode(_ bytes: [UInt8], quality: Int32) -> [UInt8] {
        encodedBytes(atMost: BrotliEncoderMaxCompressedSize(bytes.count)) { output in
            var count = output.count
            let isEncoded = bytes.withUnsafeBufferPointer { input in
                BrotliEncoderCompress(
                    quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, input.count, input.baseAddress, &count, output.baseAddress)
            }
            guard isEncoded != 0 else { fatalError("out of memory for a compressed body") }
            return count
        }
    }
}
