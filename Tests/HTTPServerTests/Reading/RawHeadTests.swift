import Testing

@testable import HTTPServer

/// Tests of heads that libmicrohttpd has split into strings by zero bytes. The tests write a zero byte as `|`.
@Suite struct RawHeadTests {
    private func refusal(_ text: String, target: String = "/a?b=c", fields: Int = 1) -> Refusal? {
        let head = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
        guard let version = text.firstRange(of: "HTTP/1.1") else { return .version }
        return RawHead.refusal(
            of: head.span, target: Array(target.utf8).span, version: text.utf8.distance(from: text.startIndex, to: version.lowerBound),
            fieldCount: fields
        )
    }

    @Test func aValidHeadIsAccepted() {
        // libmicrohttpd replaces `?` and `=` with zero bytes, so the target `/a?b=c` becomes `/a|b|c`.
        #expect(refusal("GET|/a|b|c|HTTP/1.1||Host| a||||") == nil)
        #expect(refusal("GET|/a|b|c|HTTP/1.1||||", fields: 0) == nil)
        #expect(refusal("GET|/a|b|c|HTTP/1.1||A|||B| ||C|b\tc, \"d\" ü||||", fields: 3) == nil)
        #expect(refusal("M-SEARCH|*|HTTP/1.1||!#$%&'*+-.^_`~09azAZ|1||||", target: "*") == nil)
    }

    @Test(arguments: [
        "GET|/a|b|c||HTTP/1.1||||", "GET||/a|b|c|HTTP/1.1||||", "GET| /a|b|c|HTTP/1.1||||", "G|T|/a|b|c|HTTP/1.1||||",
        "|/a|b|c|HTTP/1.1||||", "G(T|/a|b|c|HTTP/1.1||||", "GET|/a|b|HTTP/1.1||||", "GET|HTTP/1.1||||",
    ])
    func aMalformedRequestLineIsRejected(_ head: String) {
        #expect(refusal(head, fields: 0) == .requestLine)
    }

    @Test(arguments: ["/a b=c", "/a\u{7F}b=c", "/a\tb=c", "/a\rb=c"]) func aTargetWithABlankOrControlCharacterIsRejected(_ target: String) {
        #expect(refusal("GET|\(target)|HTTP/1.1||||", target: target, fields: 0) == .requestLine)
    }

    @Test(arguments: [
        "Content-Length ", "a b", "a(b)", "naïve", "a\u{7F}", "a@b", "[x]", "a\\b", "{a}", "a\"b", "a/b", "a,b", "a:b", "",
    ])
    func aFieldNameThatIsNotATokenIsRejected(_ name: String) {
        #expect(refusal("GET|/a|b|c|HTTP/1.1||\(name)|1||||") == .fieldName)
        #expect(refusal("GET|/a|b|c|HTTP/1.1||A|b||\(name)|1||||", fields: 2) == .fieldName)
    }

    @Test(arguments: ["a\u{1}", "\u{1F}b", "a\u{7F}", "a\rb", "a\nb"])
    func aControlCharacterInAFieldValueIsRejected(_ value: String) {
        #expect(refusal("GET|/a|b|c|HTTP/1.1||A|\(value)||||") == .fieldValue)
    }

    @Test(arguments: [" b||||", "\tb||||", " ||||", " b||C|d||||"]) func aFoldedHeaderFieldIsRejected(_ rest: String) {
        #expect(refusal("GET|/a|b|c|HTTP/1.1||A|||\(rest)") == .fieldName)
    }

    @Test(arguments: [
        "HTTP/1.1|A|b||||", "HTTP/1.1||A|b|C|d||||", "HTTP/1.1||A|b|", "HTTP/1.1||A|b|c||||", "HTTP/1.1", "HTTP/1.1|",
        "HTTP/1.1||A|||B|c||||",
    ])
    func aHeadWithAnInvalidLineEndIsRejected(_ rest: String) {
        #expect(refusal("GET|/a|b|c|\(rest)") == .lineEnd)
    }

    @Test(arguments: ["HTTP/1.1||A|b|||", "HTTP/1.1||A|b||"]) func aHeadWithoutAnEmptyLastLineIsRejected(_ rest: String) {
        #expect(refusal("GET|/a|b|c|\(rest)") == .fieldName)
    }

    @Test func anEmptyTargetIsRejected() {
        #expect(refusal("GET||HTTP/1.1||||", target: "", fields: 0) == .requestLine)
    }
}
