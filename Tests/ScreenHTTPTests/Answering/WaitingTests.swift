import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

/// Tests of requests that wait for a change. If a request still waits after the change, its test fails at the time limit.
@Suite(.serialized, .timeLimit(.minutes(1))) struct WaitingTests {
    private static let path = "/screens/notes/changes"

    @Test(
        arguments: [
            ("text/event-stream", "text/event-stream"), ("application/json, text/event-stream", "application/json"), ("text/*", nil),
        ] as [(String, String?)])
    func theMediaTypeOfAResponseWithChangesDependsOnTheAcceptField(_ example: (accept: String, type: String?)) async throws {
        let site = try await LiveSite()
        let (head, _) = try await site.listen(Self.path, accept: example.accept)
        if let type = example.type {
            #expect(head.status == 200 && head.headers["Content-Type"] == type)
        } else {
            try head.expectProblem("not-acceptable", 406)
        }
        await site.stop()
    }

    @Test(arguments: [("wait=1", "wait=1"), (#"respond-async, wait="86400""#, "wait=60")])
    func aRequestThatPrefersToWaitIsAnsweredAtOnceIfItHasNoKnownVersion(_ example: (prefer: String, applied: String)) async throws {
        let site = try await LiveSite()
        for target in [Self.path, "\(Self.path)?version=nonsense"] {
            let answer = try await site.ask("GET", target, ["Prefer": example.prefer])
            #expect(answer.status == 200)
            #expect(answer.headers["Preference-Applied"] == example.applied)
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(try answer.json["kind"]?.text == "snapshot")
        }
        await site.stop()
    }

    @Test func aRequestWithoutAWaitPreferenceIsAnsweredAtOnce() async throws {
        let site = try await LiveSite()
        let old = try await site.ask("GET", "/screens/notes").version
        for headers: Headers in [[:], ["Prefer": "wait=soon"], ["Prefer": "respond-async"]] {
            let answer = try await site.ask("GET", "\(Self.path)?version=\(old)", headers)
            #expect(answer.headers["Preference-Applied"] == nil)
            #expect(answer.text.hasSuffix(#""stages":[]}"#))
        }
        await site.stop()
    }

    @Test func aWaitingRequestIsAnsweredWhenTheScreenChanges() async throws {
        let site = try await LiveSite()
        let old = try await site.ask("GET", "/screens/notes").version
        async let answer = site.ask("GET", "\(Self.path)?version=\(old)", ["Prefer": "wait=60"])
        await site.whenFollowed()
        site.notes.set("inbox", to: ["1", "2", "3", "4", "5", "new"])
        #expect(try await answer.text.contains("note new"))
        await site.stop()
    }

    @Test func aViewIsNotFollowedAfterTheWaitingClientDisconnects() async throws {
        let site = try await LiveSite()
        let held = try await site.ask("GET", "/screens/notes").version
        let client = try await RawClient(site.address)
        try await client.send(Request(method: "GET", target: "\(Self.path)?version=\(held)", headers: ["Prefer": "wait=60"]))
        await site.whenFollowed()
        try await client.leave()
        await site.whenFollowed(0)
        await site.stop()
    }

    @Test func aWaitingRequestOnAHalfClosedConnectionReceivesTheCurrentState() async throws {
        let site = try await LiveSite()
        let held = try await site.ask("GET", "/screens/notes").version
        let client = try await RawClient(site.address)
        try await client.send(Request(method: "GET", target: "\(Self.path)?version=\(held)", headers: ["Prefer": "wait=60"]))
        await site.whenFollowed()
        try await client.finish()
        #expect(try await client.response().text.hasSuffix(#""stages":[]}"#))
        #expect(try await client.isClosed())
        await site.whenFollowed(0)
        await site.stop()
    }

    @Test func aServerThatIsNoLongerReadyStillAnswersWaitingRequests() async throws {
        let site = try await LiveSite()
        let old = try await site.ask("GET", "/screens/notes").version
        site.withdraw()
        async let answer = site.ask("GET", "\(Self.path)?version=\(old)", ["Prefer": "wait=60"])
        await site.whenFollowed()
        #expect(try await site.ask("GET", "/readyz").status == 503)
        site.notes.set("inbox", to: ["1", "2", "3", "4", "5", "new"])
        #expect(try await answer.text.contains("note new"))
        #expect(try await answer.headers["Connection"] == "close")
        await site.stop()
    }

    @Test func aRequestAboveTheLimitOfFollowedViewsIsAnsweredAtOnce() async throws {
        let site = try await LiveSite(following: FollowingBounds(views: 1, callerShare: 100))
        let stream = try await site.stream("\(Self.path)?limit=2")
        let held = try await site.ask("GET", "/screens/notes").version
        let answer = try await site.ask("GET", "\(Self.path)?version=\(held)", ["Prefer": "wait=60"])
        #expect(answer.status == 200 && answer.headers["Preference-Applied"] == nil)
        #expect(answer.text.hasSuffix(#""stages":[]}"#))
        try await stream.leave()
        await site.stop()
    }

    @Test func anInvalidRequestThatPrefersToWaitReceivesAProblemAtOnce() async throws {
        let site = try await LiveSite()
        let answer = try await site.ask("GET", "\(Self.path)?list=none", ["Prefer": "wait=60"])
        try answer.expectProblem("invalid-parameters", 400, at: ["parameter list"])
        #expect(answer.headers["Preference-Applied"] == nil)
        await site.stop()
    }
}
