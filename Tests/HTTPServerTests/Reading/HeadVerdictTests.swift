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

    @Test func aValidHeadIsAccepted() {
        #expect(verdict([("Host", "a"), ("Accept", "*/*\t;q=1"), ("X-City", "Zürich")]) == .accept(length: 0, expectsContinue: false))
        #expect(verdict([("host", "a"), ("Content-Length", "100")]) == .accept(length: 100, expectsContinue: false))
    }

    @Test func exactlyOneHostFieldIsRequiredExceptInHTTP10() {
        #expect(verdict([], .http10) == .accept(length: 0, expectsContinue: false))
        #expect(verdict([]) == .refuse(.host(count: 0)))
        #expect(verdict([("Host", "a"), ("host", "a")]) == .refuse(.host(count: 2)))
    }

    @Test func anInvalidHostIsRejected() {
        #expect(verdict([("Host", "a/b")]) == .refuse(.hostName))
        #expect(verdict([("Host", "a/b")], .http10) == .refuse(.hostName))
    }

    @Test func anExpectationOtherThan100ContinueIsRejected() {
        for (value, isMeant) in [("100-continue", true), ("100-Continue ", true), ("", false), (", 100-continue", true)] {
            let fields = [("Host", "a"), ("Content-Length", "1"), ("Expect", value)]
            #expect(verdict(fields) == .accept(length: 1, expectsContinue: isMeant))
            #expect(verdict(fields, .http10) == .accept(length: 1, expectsContinue: false))
        }
        let (host, expectation) = (("Host", "a"), ("Expect", "100-continue"))
        #expect(verdict([host, expectation]) == .refuse(.expectationWithoutBody))
        #expect(verdict([host, expectation, ("Content-Length", "0")]) == .refuse(.expectationWithoutBody))
        #expect(verdict([host, expectation], .http10) == .accept(length: 0, expectsContinue: false))
        for value in ["foo", "100-continue, foo", "100-continue;a=b"] {
            #expect(verdict([("Host", "a"), ("Expect", value)]) == .refuse(.expectation))
        }
    }

    @Test func aRequestWithAmbiguousFramingIsRejected() {
        let (host, length, chunked) = (("Host", "a"), ("Content-Length", "1"), ("Transfer-Encoding", "chunked"))
        #expect(verdict([host, length, ("content-length", "1")]) == .refuse(.length(count: 2)))
        #expect(verdict([host, length, chunked]) == .refuse(.lengthWithTransferCoding))
        #expect(verdict([host, chunked]) == .refuse(.chunked))
        #expect(verdict([host, ("Transfer-Encoding", "Chunked")]) == .refuse(.chunked))
        #expect(verdict([host, chunked], .http10) == .refuse(.transferCodingInHTTP10))
        #expect(verdict([host, chunked, chunked]) == .refuse(.transferCoding))
        for coding in ["chunked, chunked", "", ",", "chunked;a=b", "a b", "ünknown"] {
            #expect(verdict([host, ("Transfer-Encoding", coding)]) == .refuse(.transferCoding))
        }
    }

    @Test func anUnknownTransferCodingIsRejectedWithStatus501() {
        let (host, chunked) = (("Host", "a"), ("Transfer-Encoding", "chunked"))
        for coding in ["gzip", "gzip, chunked", "chunked, gzip", "identity", "xchunked", "foo;a=b", " , gzip ,"] {
            #expect(verdict([host, ("Transfer-Encoding", coding)]) == .refuse(.unknownTransferCoding))
        }
        #expect(verdict([host, chunked, ("Transfer-Encoding", "gzip")]) == .refuse(.unknownTransferCoding))
        #expect(verdict([host, ("Transfer-Encoding", "gzip")], .http10) == .refuse(.transferCodingInHTTP10))
        #expect(verdict([host, ("Content-Length", "1"), ("Transfer-Encoding", "gzip")]) == .refuse(.lengthWithTransferCoding))
        #expect(Refusal.unknownTransferCoding.status == 501)
    }

    @Test func aBodyOverTheLimitIsReadAndDiscardedUnlessItExceedsTwiceTheLimit() {
        let tooLarge = Refusal.bodyTooLarge(limit: 100)
        func verdictForLength(_ length: String, _ more: (String, String)...) -> HeadVerdict {
            verdict([("Host", "a"), ("Content-Length", length)] + more)
        }
        #expect(verdictForLength("101") == .discard(tooLarge))
        #expect(verdictForLength("200") == .discard(tooLarge))
        #expect(verdictForLength("201") == .refuse(tooLarge))
        #expect(verdictForLength("18446744073709551615") == .refuse(tooLarge))
        #expect(verdictForLength("101", ("Expect", "100-continue")) == .refuse(tooLarge))
        #expect(verdictForLength("100", ("Expect", "100-continue")) == .accept(length: 100, expectsContinue: true))
    }
}
