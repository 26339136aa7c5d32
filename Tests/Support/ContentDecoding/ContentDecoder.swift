import CBrotliDecoder
import CZlib
import CZstd
public import ContentCoding

/// An error that is thrown if bytes are not in the expected coding.
public struct DecodingFault: Error, Hashable {
    public let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// A decoder of a content coding that decodes bytes as they arrive.
public final class ContentDecoder {
    private let coding: ContentCoding
    private let gzip = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let zstd = ZSTD_createDCtx()
    private let brotli = BrotliDecoderCreateInstance(nil, nil, nil)
    /// A Boolean value that indicates whether the decoded bytes end at the end of a gzip stream, a zstd frame or a brotli stream.
    public private(set) var isAtEnd = true

    public init(_ coding: ContentCoding) {
        self.coding = coding
        gzip.initialize(to: z_stream())
        inflateInit2_(gzip, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(gzip)
        gzip.deallocate()
        ZSTD_freeDCtx(zstd)
        BrotliDecoderDestroyInstance(brotli)
    }

    /// Returns all bytes that can be decoded from the bytes so far.
    public func decode(_ bytes: [UInt8]) throws(DecodingFault) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let step: (read: Int, written: Int)
            switch coding {
            case .gzip: step = try inflate(rest, &block)
            case .zstd: step = try decompress(rest, &block)
            case .br: step = try decodeBrotli(rest, &block)
            }
            decoded += block.prefix(step.written)
            rest = rest.dropFirst(step.read)
            if step.written == 0, rest.isEmpty || step.read == 0 { break }
        }
        guard rest.isEmpty else { throw DecodingFault("\(rest.count) bytes follow the end") }
        return decoded
    }

    private func inflate(_ bytes: ArraySlice<UInt8>, _ block: inout [UInt8]) throws(DecodingFault) -> (Int, Int) {
        guard !bytes.isEmpty || !isAtEnd else { return (0, 0) }
        let status = bytes.withUnsafeBufferPointer { input in
            block.withUnsafeMutableBufferPointer { output in
                gzip.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                gzip.pointee.avail_in = UInt32(input.count)
                gzip.pointee.next_out = output.baseAddress
                gzip.pointee.avail_out = UInt32(output.count)
                return CZlib.inflate(gzip, Z_SYNC_FLUSH)
            }
        }
        let (read, written) = (bytes.count - Int(gzip.pointee.avail_in), block.count - Int(gzip.pointee.avail_out))
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { throw DecodingFault("gzip: code \(status)") }
        isAtEnd = status == Z_STREAM_END
        return (read, written)
    }

    private func decompress(_ bytes: ArraySlice<UInt8>, _ block: inout [UInt8]) throws(DecodingFault) -> (Int, Int) {
        var (read, written) = (0, 0)
        let status = bytes.withUnsafeBytes { source in
            block.withUnsafeMutableBytes { target in
                var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                defer { (read, written) = (input.pos, output.pos) }
                return ZSTD_decompressStream(zstd, &output, &input)
            }
        }
        guard ZSTD_isError(status) == 0 else { throw DecodingFault("zstd: \(String(cString: ZSTD_getErrorName(status)))") }
        if read > 0 || written > 0 { isAtEnd = status == 0 }
        return (read, written)
    }

    private func decodeBrotli(_ bytes: ArraySlice<UInt8>, _ block: inout [UInt8]) throws(DecodingFault) -> (Int, Int) {
        var (inputCount, outputCount) = (bytes.count, block.count)
        let result = bytes.withUnsafeBufferPointer { input in
            block.withUnsafeMutableBufferPointer { output in
                var (next, target) = (input.baseAddress, output.baseAddress)
                return BrotliDecoderDecompressStream(brotli, &inputCount, &next, &outputCount, &target, nil)
            }
        }
        guard result != BROTLI_DECODER_RESULT_ERROR else { throw DecodingFault("br: code \(BrotliDecoderGetErrorCode(brotli))") }
        isAtEnd = result == BROTLI_DECODER_RESULT_SUCCESS
        return (bytes.count - inputCount, block.count - outputCount)
    }
}

extension ContentCoding {
    /// Returns the decoded form of a complete body.
    public func decode(_ bytes: [UInt8]) throws(DecodingFault) -> [UInt8] {
        let decoder = ContentDecoder(self)
        let decoded = try decoder.decode(bytes)
        guard decoder.isAtEnd else { throw DecodingFault("the body ends too early") }
        return decoded
    }
}
