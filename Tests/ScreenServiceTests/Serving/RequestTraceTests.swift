import Testing

@testable import ScreenService

@Suite struct RequestTraceTests {
    @Test(arguments: ["a", "7f0c-1", "!\"\\~", String(repeating: "x", count: 128)])
    func anIdOfVisibleASCIICharactersIsKept(_ id: String) {
        #expect(RequestTrace(requestID: id).requestID == id)
    }

    @Test(arguments: ["", " ", "a b", "a, b", "é", "a\t", "\u{7F}", String(repeating: "x", count: 129)])
    func anyOtherIdIsReplaced(_ id: String) {
        let trace = RequestTrace(requestID: id)
        #expect(trace.requestID.count == 32 && trace.requestID.allSatisfy(\.isHexDigit))
        #expect(trace.isRequested)
    }

    @Test func newIdsDiffer() {
        let ids = (0..<1000).map { _ in RequestTrace().requestID }
        #expect(Set(ids).count == 1000)
        #expect(Set(ids.map(\.count)) == [32])
    }

    @Test func anIdStaysTheSame() {
        let trace = RequestTrace()
        #expect(trace.requestID == trace.requestID)
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(arguments: ["00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-ff", "cc-\(trace)-00f067aa0ba902b7-01-what"])
    func aValidTraceparentNamesTheTrace(_ text: String) {
        #expect(RequestTrace(traceparent: text).traceID == Self.trace)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-01-", "00-\(trace)-00f067aa0ba902b7-01-x",
        "ff-\(trace)-00f067aa0ba902b7-01", "0-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace.uppercased())-00f067aa0ba902b7-01",
        "00-\(trace)0-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b-01", "00-\(trace)-00f067aa0ba902b7-1g",
        "00-\(trace)-00f067aa0ba902b7-01, 00-\(trace)-00f067aa0ba902b7-01",
    ])
    func anInvalidTraceparentIsIgnored(_ text: String) {
        #expect(RequestTrace(traceparent: text).traceID == nil)
    }

    @Test func requestsToOtherServersHaveTheSameTraceAndANewSpan() throws {
        let fields = RequestTrace(requestID: "a", traceparent: "00-\(Self.trace)-00f067aa0ba902b7-03").fields
        #expect(fields.map(\.name) == ["X-Request-Id", "traceparent"])
        #expect(fields[0].value == "a")
        let match = try #require(fields[1].value.wholeMatch(of: #/00-([0-9a-f]{32})-([0-9a-f]{16})-01/#))
        #expect(match.1 == Self.trace && match.2 != "00f067aa0ba902b7")
    }

    @Test func requestsToOtherServersStartNoTrace() {
        #expect(RequestTrace(requestID: "a").fields.map(\.name) == ["X-Request-Id"])
    }

    @Test(arguments: [false, true]) func workWithADeadlineHasTheTraceOfItsRequest(isDetached: Bool) async throws {
        let trace = RequestTrace()
        let outcome = Outcome<String?>()
        RequestTrace.$current.withValue(trace) {
            Deadline.after(.seconds(60)).start({ RequestTrace.current?.requestID }, isDetached: isDetached, settling: outcome) { _ in
                DeadlineFault.notComputed
            }
        }
        #expect(try await outcome.value == trace.requestID)
    }

    @Test func theReportOfLateWorkHasTheTraceOfItsRequest() async throws {
        struct Late: Error {
            let trace: RequestTrace?
        }
        let trace = RequestTrace()
        let deadline = Deadline { pass in
            pass()
            return {}
        }
        await #expect {
            try await RequestTrace.$current.withValue(trace) {
                try await deadline.value(of: { try await Task.sleep(for: .seconds(3600)) }) { _ in Late(trace: .current) }
            }
        } throws: { ($0 as? Late)?.trace?.requestID == trace.requestID }
    }
}

@Suite struct CallerHashTests {
    private let hash = CallerHash(secret: Array(0...15))

    @Test func aCallerHasTheSameTextOnAllReplicas() {
        let other = CallerHash(secret: Array(0...15))
        #expect(hash.text(of: .user("ada")) == other.text(of: .user("ada")))
        #expect(hash.text(of: .user("ada"))?.count == 16)
    }

    @Test func differentCallersHaveDifferentTexts() {
        let callers: [LimitKey] = [
            .user(""), .user("ada"), .user("adb"), .user("adaadaad"), .address(high: 0, low: 1), .address(high: 1, low: 0),
            .user("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"),
        ]
        #expect(Set(callers.compactMap(hash.text)).count == callers.count)
    }

    @Test func theTextDependsOnTheSecret() {
        #expect(hash.text(of: .user("ada")) != CallerHash(secret: Array(1...16)).text(of: .user("ada")))
    }

    @Test func anUnknownCallerHasNoText() {
        #expect(hash.text(of: .unknown) == nil)
    }

    /// The test vectors are from the implementation by the authors of SipHash. The input is the bytes from 0, and the key is the bytes 0 to
    /// 15.
    @Test(arguments: [(0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5)])
    func theHashOfBytesIsSipHash(_ count: Int, _ expected: UInt64) {
        #expect(SipHash(key: Array(0...15)).hash((0..<count).map { UInt8($0) }) == expected)
    }
}
