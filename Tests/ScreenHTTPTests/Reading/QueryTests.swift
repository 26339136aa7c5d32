import HTTPServer
import RawClient
import ScreenWire
import Testing

@Suite(.serialized) struct QueryTests {
    @Test(arguments: Transport.allCases)
    func allFaultsOfAQueryAreReportedTogether(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let query = "limit=0&order=up&nope=1&list=a&list=b&locale=de&%zz=1&version=v"
        let answer = try await site.get("/screens/notes?\(query)")
        let places = ["%zz", "limit", "list", "locale", "nope", "order", "version"].map { "parameter \($0)" }
        let found = try answer.json["errors"]?.elements.compactMap { $0["parameter"]?.text.map { "parameter \($0)" } }
        #expect(found?.sorted() == places)
    }

    @Test(arguments: Transport.allCases, [16, 17, 1000])
    func theProblemOfAQueryListsTheFirstFaultsAndCountsTheOthers(_ transport: Transport, count: Int) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes?" + (0..<count).map { "a\($0)" }.joined(separator: "&"))
        let detail = try answer.expectProblem("invalid-parameters", 400, at: (0..<16).map { "parameter a\($0)" })
        let ends = [16: "version, locale, revision, position.", 17: "There is 1 more fault.", 1000: "There are 984 more faults."]
        #expect(detail.hasSuffix(ends[count]!))
        #expect(!detail.contains("a16:"))
    }

    @Test(arguments: Transport.allCases)
    func theProblemOfAnUnknownParameterListsTheKnownParameters(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes?nope=1", "/screens/notes/changes?nope=1"] {
            let detail = try await site.get(target).expectProblem("invalid-parameters", 400, at: ["parameter nope"])
            #expect(["list", "limit", "order", "version", "locale", "revision", "position"].allSatisfy(detail.contains))
        }
        let detail = try await site.get("/screens/news?=").expectProblem("invalid-parameters", 400, at: ["parameter "])
        #expect(detail.contains("no parameters besides version, locale, revision and position"))
    }

    @Test(arguments: Transport.allCases)
    func aRequestForTheListOfScreensAcceptsOnlyTheLocaleParameter(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/screens?locale=fr").headers["Content-Language"] == "fr")
        let detail = try await site.get("/screens?a=1&version=v&b&revision=1").expectProblem(
            "invalid-parameters", 400, at: ["parameter version", "parameter revision", "parameter a", "parameter b"]
        )
        #expect(detail.contains("locale"))
    }

    @Test(arguments: Transport.allCases)
    func aRequestForTheOpenAPIDocumentAcceptsNoParameter(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let detail = try await site.get("/openapi.json?a=1&locale=fr").expectProblem(
            "invalid-parameters", 400, at: ["parameter locale", "parameter a"]
        )
        #expect(detail.contains("There are no parameters here."))
        #expect(try await site.get("/healthz?a=1").status == 200)
    }

    @Test(arguments: Transport.allCases, ["", "0", "101", "1.0", "x", "1e1", "99999999999999999999", "%C3%A9"])
    func theProblemOfAMalformedValueDescribesValidValues(_ transport: Transport, _ value: String) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes?limit=\(value)")
        let detail = try answer.expectProblem("invalid-parameters", 400, at: ["parameter limit"])
        #expect(detail.contains("a whole number from 1 to 100"))
    }

    @Test(arguments: Transport.allCases, ["limit=1&limit=1", "locale=en&locale=en", "revision=2&revision=2", "limit=1&%6Cimit=2"])
    func aParameterMustNotBeRepeated(_ transport: Transport, _ query: String) async throws {
        let site = try await transport.serve()
        let name = query.prefix { $0 != "=" }
        let answer = try await site.get("/screens/notes?\(query)")
        #expect(try answer.expectProblem("invalid-parameters", 400, at: ["parameter \(name)"]).contains("once"))
    }

    @Test(arguments: Transport.allCases)
    func aVersionInTheQueryIsAcceptedOnlyByAGETRequestForChanges(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let version = try await site.get("/screens/notes").version
        try await site.get("/screens/notes?version=\(version)")
            .expectProblem("invalid-parameters", 400, at: ["parameter version"])
        try await site.post("/screens/notes/changes?version=\(version)", #"{"version":"\#(version)"}"#)
            .expectProblem("invalid-parameters", 400, at: ["parameter version"])
        try await site.get("/screens/notes/changes?version=a&version=b")
            .expectProblem("invalid-parameters", 400, at: ["parameter version"])
    }

    @Test(
        arguments: Transport.allCases,
        [
            "list=%C3%A9t%C3%A9%2B%26%3D%2F", "list=%c3%a9t%c3%a9%2b%26=/", "l%69st=%C3%A9t%C3%A9%2B%26%3d/&",
            "&&list=%C3%A9t%C3%A9%2B%26%3D%2F",
        ])
    func percentEscapesAreDecodedAfterTheQueryIsSplit(_ transport: Transport, _ query: String) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes?\(query)")
        #expect(answer.status == 200)
        #expect(answer.text.contains("note sun"))
    }

    @Test(arguments: Transport.allCases)
    func aPlusSignIsDecodedAsASpaceOnlyInTheQuery(_ transport: Transport) async throws {
        let site = try await transport.serve()
        site.notes.set("to do", to: ["plan"])
        for query in ["list=to+do", "list=to%20do"] {
            #expect(try await site.get("/screens/notes?\(query)").text.contains("note plan"))
        }
        #expect(try await site.get("/screens/no+tes").expectProblem("unknown-screen", 404).contains("\"no+tes\""))
    }

    @Test(arguments: Transport.allCases, ["%", "%4", "%zz", "%4g", "a%", "%C3", "%ff", "%C0%AE", "%ED%A0%80"])
    func aMalformedPercentEscapeIsAnsweredWithAProblem(_ transport: Transport, _ text: String) async throws {
        let site = try await transport.serve()
        try await site.get("/screens/notes?list=\(text)").expectProblem("invalid-parameters", 400, at: ["parameter list"])
        try await site.get("/screens/\(text)").expectProblem("invalid-target", 400)
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases)
    func textFromARequestIsEscapedInTheProblem(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let name = "a\"\\<\u{1}\n😀"
        let escaped = "a%22%5C%3C%01%0A%F0%9F%98%80"
        try await site.get("/screens/notes?\(escaped)=1").expectProblem("invalid-parameters", 400, at: ["parameter \(name)"])
        #expect(try await site.get("/screens/\(escaped)").expectProblem("unknown-screen", 404).contains(name))
    }
}
