import ContentCoding
import ContentDecoding
import Testing

@Suite struct ContentCodings {
    private static let bodies: [[UInt8]] = [
        [], Array("a".utf8), Array(#"{"version":"1","sections":[]}"#.utf8), (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
        Array(String(repeating: #"{"id":"1","type":"delivery"},"#, count: 10_000).utf8),
    ]

    @Test(arguments: ContentCoding.allCases) func aClientDecodesABody(coding: ContentCoding) throws {
        for body in Self.bodies { #expect(try coding.decode(coding.encode(body)) == body) }
    }

    /// The array of an encoded body is kept for long, so it must not be as large as the body.
    @Test(arguments: ContentCoding.allCases) func anEncodedBodyTakesNoMoreMemoryThanItsBytes(coding: ContentCoding) {
        let encoded = coding.encode(Array(repeating: 65, count: 1_000_000))
        #expect(encoded.capacity < encoded.count + 1000)
    }

    /// A block without compression has at most 65,535 bytes.
    @Test(arguments: [0, 1, 65_535, 65_536, 200_000]) func aPartWithoutCompressionCanHaveAnySize(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let part = GzipStream.Part(storing: bytes)
        var stream = GzipStream()
        stream.append(part)
        #expect(try ContentCoding.gzip.decode(GzipStream.header + part.bytes + stream.end) == bytes)
    }

    /// A part of a stream is encoded once, and sent on streams that began at different times.
    @Test func aPartOfAGzipStreamCanFollowOnAnyStream() throws {
        let texts = ["retry: 1000\n\n", "event: changeset\ndata: {}\n\n", ":\n\n", ""]
        let parts = texts.map { $0.isEmpty || $0 == ":\n\n" ? GzipStream.Part(storing: Array($0.utf8)) : GzipStream.Part(Array($0.utf8)) }
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
}
