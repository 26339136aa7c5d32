import ContentCoding
import ContentDecoding
import Testing

@Suite struct ContentCodings {
    private static let bodies: [[UInt8]] = [
        [], Array("a".utf8), Array(#"{"version":"1","sections":[]}"#.utf8), (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
        Array(String(repeating: #"{"id":"1","type":"delivery"},"#, count: 10_000).utf8),
    ]

    @Test(arguments: ContentCoding.allCases, [ContentCoding.Effort.fast, .thorough])
    func aClientDecodesABody(coding: ContentCoding, effort: ContentCoding.Effort) throws {
        for body in Self.bodies { #expect(try coding.decode(coding.encode(body, effort)) == body) }
    }

    @Test(arguments: ContentCoding.allCases) func aThoroughlyEncodedBodyIsSmaller(coding: ContentCoding) {
        let body = Array((0..<2000).map { #"{"id":"\#($0)","type":"delivery","weight":\#($0 * 7919 % 997)},"# }.joined().utf8)
        #expect(coding.encode(body, .thorough).count < coding.encode(body, .fast).count)
    }

    /// A part of a stream is encoded once, and sent on streams that began at different times.
    @Test func aPartOfAGzipStreamCanFollowOnAnyStream() throws {
        let parts = ["retry: 1000\n\n", "event: changeset\ndata: {}\n\n", ":\n\n", ""].map { GzipStream.Part(Array($0.utf8)) }
        let texts = ["retry: 1000\n\n", "event: changeset\ndata: {}\n\n", ":\n\n", ""]
        for order in [[0, 1, 2], [1, 1, 2, 0], [3], []] {
            let decoder = ContentDecoder(.gzip)
            var stream = GzipStream()
            #expect(try decoder.decode(GzipStream.header).isEmpty)
            for index in order {
                stream.append(parts[index])
                #expect(try decoder.decode(parts[index].bytes) == Array(texts[index].utf8), "each part is decoded when it arrives")
            }
            #expect(try decoder.decode(stream.end).isEmpty && decoder.isAtEnd, "the checksum fits")
        }
    }

    /// A client decodes several frames of zstd as one body.
    @Test func framesOfZstdCanBeConcatenated() throws {
        let frames = ["event: changeset\n", "data: {}\n\n", ":\n\n"].map { ContentCoding.zstd.encode(Array($0.utf8), .fast) }
        #expect(try ContentCoding.zstd.decode(Array(frames.joined())) == Array("event: changeset\ndata: {}\n\n:\n\n".utf8))
    }
}
