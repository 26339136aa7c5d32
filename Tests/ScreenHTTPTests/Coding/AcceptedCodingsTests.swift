import ContentCoding
import HTTPServer
import Testing

@testable import ScreenHTTP

@Suite struct AcceptedCodingsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let field: String?
        /// The codings of a body on its first request, and of a frequent body.
        let first, frequent: ContentCoding?
        /// The coding of a stream, which is always gzip.
        let stream: ContentCoding?
        let acceptsIdentity: Bool

        init(_ field: String?, _ first: ContentCoding?, _ frequent: ContentCoding?, _ stream: ContentCoding?, identity: Bool = true) {
            (self.field, self.first, self.frequent, self.stream, acceptsIdentity) = (field, first, frequent, stream, identity)
        }

        var testDescription: String { field ?? "no field" }
    }

    @Test(arguments: [
        Case(nil, nil, nil, nil), Case("", nil, nil, nil), Case("identity", nil, nil, nil), Case("deflate, compress", nil, nil, nil),
        Case("gzip, deflate, br, zstd", .zstd, .br, .gzip), Case("gzip, deflate, br", .br, .br, .gzip), Case("GZip", .gzip, .gzip, .gzip),
        Case("x-gzip", .gzip, .gzip, .gzip), Case("*", .zstd, .br, .gzip), Case("gzip;q=0.5, br;q=0.8", .br, .br, .gzip),
        Case("br;q=0, *", .zstd, .zstd, .gzip), Case("gzip;q=0, *;q=0", nil, nil, nil, identity: false),
        Case("identity;q=0", nil, nil, nil, identity: false), Case("*;q=0", nil, nil, nil, identity: false),
        Case("*;q=0, identity", nil, nil, nil), Case("gzip, identity;q=0", .gzip, .gzip, .gzip, identity: false),
        Case("gzip;q=0.5, identity", nil, nil, nil), Case("gzip, identity;q=0.5", .gzip, .gzip, .gzip),
        Case("zstd;q=0.9, gzip;q=0.8", .zstd, .zstd, .gzip), Case("br", .br, .br, nil), Case("gzip;q=0", nil, nil, nil),
    ])
    func theBestAcceptedCodingIsChosen(_ one: Case) {
        let accepted = AcceptedCodings(one.field)
        #expect(accepted.ofBody?.first == one.first && accepted.ofBody?.frequent == one.frequent)
        #expect(accepted.prefersGzipStream == (one.stream == .gzip))
        #expect(accepted.acceptsIdentity == one.acceptsIdentity)
    }

    /// The Greek question mark looks like a semicolon, and strings with the two characters are equal.
    @Test func aFieldThatEqualsAnEarlierFieldIsReadByItsOwnBytes() {
        #expect(AcceptedCodings(in: ["Accept-Encoding": "br\u{37E}q=0.7, deflate;q=0.1"]).ofBody == nil)
        #expect(AcceptedCodings(in: ["Accept-Encoding": "br;q=0.7, deflate;q=0.1"]).ofBody?.first == .br)
    }
}
