import HTTPServer
import RawClient
import ScreenHTTP
import Testing

@Suite(.serialized) struct ProblemLanguageTests {
    private static let french: Headers = ["Accept-Language": "fr", "Content-Type": "application/json"]

    @Test(arguments: Transport.allCases)
    func aBrokenRuleIsDescribedInTheLanguageOfTheScreen(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let body = #"{"input":{"te/xt":"spam"}}"#
        for (headers, language, text) in [(Self.french, "fr", "Pas de spam."), (["Content-Type": "application/json"], "en", "No spam.")] {
            let answer = try await site.post("/screens/notes/actions/add", body, headers)
            #expect(try answer.expectProblem("broken-rule", 422, at: ["pointer /input/te~1xt", "pointer /input"]).contains(text))
            #expect(answer.headers["Content-Language"] == language)
            #expect(answer.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language")
        }
    }

    @Test(arguments: Transport.allCases)
    func aMissingValueIsDescribedInTheLanguageOfTheScreen(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let paths = ["/screens/notes?list=none", "/screens/notes/changes?list=none"]
        var answers: [RawResponse] = []
        for path in paths { answers.append(try await site.get(path, Self.french)) }
        answers.append(try await site.changes(paths[1] + "&locale=fr", since: "x"))
        answers.append(try await site.get(paths[1], ["Accept-Language": "fr", "Prefer": "wait=1"]))
        answers.append(try await site.get(paths[1], ["Accept-Language": "fr", "Accept": "text/event-stream"]))
        for answer in answers {
            let detail = try answer.expectProblem("invalid-parameters", 400, at: ["parameter list"])
            #expect(detail.contains("La liste none n’existe pas."))
            #expect(answer.headers["Content-Language"] == "fr")
            #expect(answer.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language")
        }
    }

    @Test(arguments: Transport.allCases)
    func problemsForDevelopersAreInEnglish(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answers = [
            try await site.get("/screens/none", Self.french), try await site.get("/screens/notes?limit=0", Self.french),
            try await site.get("/none", Self.french), try await site.post("/screens", "", Self.french),
            try await site.get("/screens?a", Self.french), try await site.get("/%zz", Self.french),
            try await site.post("/screens/notes/actions/add", "{}", Self.french),
            try await site.post("/screens/notes/actions/fly", "{}", Self.french),
        ]
        for answer in answers {
            #expect(answer.status >= 400)
            #expect(answer.headers["Content-Type"] == "application/problem+json")
            #expect(answer.headers["Content-Language"] == "en")
            #expect(answer.headers["Vary"] == "Accept-Encoding")
        }
    }

    @Test(arguments: Transport.allCases)
    func theVaryFieldOfA406ResponseContainsAccept(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes", ["Accept": "text/html", "Accept-Language": "fr"])
        try answer.expectProblem("not-acceptable", 406)
        #expect(answer.headers["Vary"] == "Accept, Accept-Encoding")
        #expect(answer.headers["Content-Language"] == "en")
    }
}
