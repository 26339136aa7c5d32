import Testing

@testable import HTTPServer

@Suite struct HeadVerdictTests {
    private func verdict(
        _ fields: [(String, String)], _ version: HTTPVersion = .http11, limit: Int = 100
    ) -> HeadVerdict {
        var headers = Headers()
        for (name, value) in fields { headers.append(name, value) }
        return HeadVerdict.on(headers, version: version, maximumBodyBytes: limit)
    }

    @Test func aPlainHeadIsAccepted() {
        #expect(verdict([("Host", "a"), ("Accept", "*/*\t;q=1"), ("X-City", "Zürich")]) == .accept(length: nil))
        #expect(verdict([("host", "a"), ("Content-Length", "100")]) == .accept(length: 100))
        #expect(verdict([("host", "a"), ("Transfer-Encoding", "Chunked")]) == .accept(length: nil))
    }

    @Test func onlyHTTP10MayLackAHost() {
        #expect(verdict([], .http10) == .accept(length: nil))
        #expect(verdict([]) == .refuse(.host(count: 0)))
        #expect(verdict([("Host", "a"), ("host", "a")]) == .refuse(.host(count: 2)))
    }

    @Test func aVersionOtherThan10And11IsRefused() {
        #expect(verdict([("Host", "a")], .other) == .refuse(.version))
    }

    @Test(arguments: [
        "", "Content-Length ", "a b", "a(b)", "naïve", "a\u{7F}", "a@b", "[x]", "a\\b", "{a}", "a\"b", "a/b", "a,b",
        "a\0", "\t",
    ])
    func aNameThatIsNoTokenIsRefused(_ name: String) {
        #expect(verdict([("Host", "a"), (name, "1")]) == .refuse(.fieldName))
    }

    @Test func everyTokenCharacterMayStandInAName() {
        #expect(verdict([("Host", "a"), ("!#$%&'*+-.^_`|~09azAZ", "1")]) == .accept(length: nil))
    }

    @Test(arguments: ["\0", "a\u{1}", "\u{1F}b", "a\u{7F}", "a\rb", "a\nb"])
    func aControlCharacterInAValueIsRefused(_ value: String) {
        #expect(verdict([("Host", "a"), ("X", value)]) == .refuse(.fieldValue))
    }

    @Test func framingThatCanBeReadInTwoWaysIsRefused() {
        let (host, length, chunked) = (("Host", "a"), ("Content-Length", "1"), ("Transfer-Encoding", "chunked"))
        #expect(verdict([host, length, ("content-length", "1")]) == .refuse(.length(count: 2)))
        #expect(verdict([host, length, chunked]) == .refuse(.lengthWithTransferCoding))
        #expect(verdict([host, chunked], .http10) == .refuse(.transferCodingInHTTP10))
        #expect(verdict([host, chunked, chunked]) == .refuse(.transferCoding))
        for coding in ["gzip", "gzip, chunked", "chunked, chunked", "identity", "", "xchunked", "chunked;a=b"] {
            #expect(verdict([host, ("Transfer-Encoding", coding)]) == .refuse(.transferCoding))
        }
    }

    @Test func aLengthOverTheLimitIsDiscardedUpToTwiceTheLimit() {
        let tooLarge = Refusal.bodyTooLarge(limit: 100)
        func ofLength(_ length: String, _ more: (String, String)...) -> HeadVerdict {
            verdict([("Host", "a"), ("Content-Length", length)] + more)
        }
        #expect(ofLength("101") == .discard(tooLarge))
        #expect(ofLength("201") == .discard(tooLarge))
        #expect(ofLength("202") == .refuse(tooLarge))
        #expect(ofLength("18446744073709551615") == .refuse(tooLarge))
        #expect(ofLength("101", ("Expect", "100-continue")) == .refuse(tooLarge))
        #expect(ofLength("100", ("Expect", "100-continue")) == .accept(length: 100))
    }
}
