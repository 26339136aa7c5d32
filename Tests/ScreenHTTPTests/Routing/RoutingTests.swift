import HTTPServer
import RawClient
import Testing

@Suite(.serialized) struct RoutingTests {
    private static let readOnly = ["/screens", "/screens/notes", "/healthz", "/readyz", "/metrics", "/", "/any/file"]
    private static let changes = "/screens/notes/changes"

    @Test(arguments: Transport.allCases)
    func optionsSaysWhatAPathTakes(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in Self.readOnly + [Self.changes, "/screens/none/changes", "*"] {
            let answer = try await site.ask(Request(method: "OPTIONS", target: target))
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            let allowed = target.hasSuffix("changes") ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS"
            #expect(answer.headers["Allow"] == allowed)
        }
    }

    @Test(arguments: Transport.allCases)
    func aMethodThatAPathDoesNotTakeIsRefusedWithThoseThatItTakes(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (method, targets) in [("POST", Self.readOnly), ("DELETE", Self.readOnly + [Self.changes]), ("get", [Self.changes])] {
            for target in targets {
                let answer = try await site.ask(Request(method: method, target: target))
                #expect(try answer.expectProblem("method-not-allowed", 405).contains(method))
                #expect(answer.headers["Allow"] == (target == Self.changes ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS"))
            }
        }
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases, [
        "/screens/none", "/screens/none/changes", "/screens/Notes", "/screens/notes%20", "/screens//changes",
    ])
    func aScreenThatThereIsNotListsThoseThatThereAre(_ transport: Transport, _ target: String) async throws {
        let site = try await transport.serve()
        #expect(try await site.get(target).expectProblem("unknown-screen", 404).contains("notes, news"))
        #expect(try await site.get("\(target)?nope=1&locale=xx").expectProblem("unknown-screen", 404).contains("notes, news"))
    }

    @Test(arguments: Transport.allCases)
    func aPathIsComparedDecoded(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/%73creens/not%65s").status == 200)
        #expect(try await site.get("/screens%2Fnotes").status == 404)
    }

    @Test(arguments: Transport.allCases, [
        "/screens/", "/screens/notes/", "/screens/notes/changes/", "/screens/notes/other", "/healthz/x", "//screens",
        "/none", "*",
    ])
    func anyOtherPathIsAFileThatThereIsNot(_ transport: Transport, _ target: String) async throws {
        let site = try await transport.serve()
        #expect(try await site.get(target).expectProblem("not-found", 404).contains("/screens"))
    }

    /// RFC 9112, section 3.2.2: a server must accept it, though only proxies are sent it.
    @Test(arguments: Transport.allCases)
    func aTargetMayBeAWholeURL(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("http://test/screens/notes?limit=2").text.contains("note 2"))
        #expect(try await site.get("HTTPS://test:80/screens").status == 200)
        #expect(try await site.get("http://test").expectProblem("not-found", 404).contains("/screens"))
    }

    /// What the server refuses by itself looks like what the API refuses.
    @Test func aRequestThatIsNoneIsAProblemToo() async throws {
        let site = try await Transport.socket.serve()
        let answer = try await site.get("/screens", ["Host": "another"])
        try answer.expectProblem("invalid-request", 400)
    }
}
