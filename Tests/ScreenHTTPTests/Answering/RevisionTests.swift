import HTTPServer
import RawClient
import ScreenWire
import Testing

/// Tests of screens with several revisions. If a waiting request misses a change, its test fails at the time limit.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RevisionTests {
    private static let first = #"{"id":"1","type":"note","text":"note 1","isFirst":true}"#
    private static let json: Headers = ["Content-Type": "application/json"]

    @Test(arguments: Transport.allCases)
    func eachPathOfAScreenAcceptsARevision(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let old = try await site.get("/screens/notes").version
        let new = try await site.get("/screens/notes?revision=2")
        #expect(new.status == 200 && new.text.contains(Self.first))
        let update = #""stages":[{"updateCells":[{"at":[0,0],"cell":\#(Self.first)}]}]}"#
        let answers = [
            try await site.changes("/screens/notes/changes?revision=2", since: old),
            try await site.get("/screens/notes/changes?revision=2&version=\(old)"),
            try await site.get("/screens/notes/changes?revision=2&version=\(old)", ["Prefer": "wait=60"]),
        ]
        for answer in answers {
            #expect(try answer.text.hasSuffix(update) && answer.version == new.version)
        }
        let body = #"{"version":"\#(old)","input":{"te/xt":"6"}}"#
        let done = try await site.post("/screens/notes/actions/add?revision=2", body, Self.json)
        #expect(done.text.contains(Self.first) && done.text.contains(#""note 6""#))
        #expect(try await site.get("/screens/notes?revision=2").version == done.version)
    }

    @Test(arguments: Transport.allCases)
    func aRequestWithoutARevisionIsAnsweredForTheOldestRevision(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let plain = try await site.get("/screens/notes")
        #expect(!plain.text.contains("isFirst"))
        let said = try await site.get("/screens/notes?revision=1", ["If-None-Match": try #require(plain.headers["ETag"])])
        #expect(said.status == 304)
        #expect(try await site.metrics()["relist_computations_total"] == 1)
    }

    @Test(arguments: Transport.allCases, ["0", "4", "-1", "", "two", "1.5", "1e0", "99999999999999999999", "%C3%A9"])
    func theProblemOfAnUnsupportedRevisionListsTheSupportedRevisions(_ transport: Transport, _ revision: String) async throws {
        let site = try await transport.serve()
        let places = ["parameter revision"]
        let line = "revision: This screen serves the revisions from 1 to 3; send one of them, or none for the oldest."
        let query = "?revision=\(revision)"
        let answers = [
            try await site.get("/screens/notes\(query)"), try await site.get("/screens/notes/changes\(query)"),
            try await site.changes("/screens/notes/changes\(query)", since: "x"),
            try await site.post("/screens/notes/actions/add\(query)", #"{"input":{"te/xt":"6"}}"#, Self.json),
        ]
        for answer in answers { #expect(try answer.expectProblem("invalid-parameters", 400, at: places) == line) }
        #expect(try site.notes.notes(in: "inbox")?.count == 5)
        let alone = try await site.get("/screens/news\(query)").expectProblem("invalid-parameters", 400, at: places)
        #expect(alone == "revision: This screen serves revision 1 alone; send that, or none.")
    }

    @Test(arguments: Transport.allCases)
    func theListOfScreensHasTheSupportedRevisions(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let screens = try await site.get("/screens").json["screens"]?.elements.compactMap { $0["revisions"] }
        #expect(screens?.map { $0["oldest"] } == [.number("1"), .number("1")])
        #expect(screens?.map { $0["newest"] } == [.number("3"), .number("1")])
    }
}
