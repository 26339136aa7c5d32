import HTTPServer
import RawClient
import ScreenWire
import Testing

@Suite(.serialized) struct ChangesTests {
    @Test(arguments: Transport.allCases)
    func theResponseToARequestWithAnOlderVersionIsAChangeset(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let old = try await site.get("/screens/notes").version
        site.notes.set("inbox", to: ["1", "2", "3", "4", "5", "6"])
        let answer = try await site.changes("/screens/notes/changes", since: old)
        let new = try await site.get("/screens/notes").version
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Content-Language"] == "en")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["ETag"] == nil)
        #expect(new != old)
        let head = #"{"kind":"changeset","screen":"notes","from":"\#(old)","version":"\#(new)","#
        let stage = #"{"insertCells":[{"at":[0,5],"cells":[{"id":"6","type":"note","text":"note 6"}]}]}"#
        #expect(answer.text == head + #""stages":[\#(stage)]}"#)
    }

    @Test(arguments: Transport.allCases)
    func theResponseToARequestWithTheCurrentVersionIsAnEmptyChangeset(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let version = try await site.get("/screens/notes").version
        let nothing = #"{"kind":"changeset","screen":"notes","from":"\#(version)","version":"\#(version)","stages":[]}"#
        #expect(try await site.changes("/screens/notes/changes", since: version).text == nothing)
        #expect(try await site.get("/screens/notes/changes?version=\(version)").text == nothing)
    }

    @Test(arguments: Transport.allCases)
    func theResponseToAnUnknownOrMalformedVersionIsASnapshot(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let current = try await site.get("/screens/notes").version
        let unknown = ["", "x", "null", "é€😀", #"\u0000"#, String(repeating: "a", count: 26), String(repeating: "7", count: 26)]
        for version in unknown + [current.uppercased(), current + "a", String(repeating: "a", count: 100_000)] {
            let answer = try await site.changes("/screens/notes/changes", since: version)
            #expect(answer.status == 200)
            let document = try answer.json
            #expect(document["kind"]?.text == "snapshot")
            #expect(document["reason"]?.text == "unknown-version")
            #expect(document["version"]?.text == current)
        }
    }

    @Test(arguments: Transport.allCases)
    func aGETRequestForChangesHasTheVersionInTheQuery(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let old = try await site.get("/screens/notes").version
        site.notes.set("inbox", to: ["5", "4", "3", "2", "1"])
        let asked = try await site.get("/screens/notes/changes?version=\(old)")
        #expect(asked.status == 200)
        #expect(asked.headers["Cache-Control"] == "no-store")
        #expect(try asked.json["from"]?.text == old)
        #expect(asked.body == (try await site.changes("/screens/notes/changes", since: old)).body)
        #expect(try await site.get("/screens/notes/changes?version=nonsense").json["reason"]?.text == "unknown-version")
    }

    @Test(arguments: Transport.allCases)
    func aRequestWithoutAVersionReceivesAnInitialSnapshot(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes/changes")
        #expect(answer.status == 200)
        #expect(try answer.json["kind"]?.text == "snapshot")
        #expect(try answer.json["reason"]?.text == "initial")
        #expect(try answer.version == (try await site.get("/screens/notes")).version)
    }

    @Test(arguments: Transport.allCases)
    func theContentTypeAndUnknownMembersOfABodyAreIgnored(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let version = try await site.get("/screens/notes").version
        let body = #" { "more": [1, {}], "version": "\#(version)", "$x": null } "#
        let types = ["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
        for headers in types.map({ ["Content-Type": $0] as Headers }) + [[:]] {
            let answer = try await site.post("/screens/notes/changes", body, headers)
            #expect(answer.status == 200)
            #expect(try answer.json["from"]?.text == version)
        }
    }
}
