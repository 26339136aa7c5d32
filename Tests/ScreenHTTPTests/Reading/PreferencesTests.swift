import HTTPServer
import RawClient
import Testing

@Suite(.serialized) struct PreferencesTests {
    @Test(arguments: Transport.allCases, [
        ("fr", "fr"), ("fr-CH", "fr"), ("FR", "fr"), ("en, fr", "en"), ("fr, en", "fr"), ("de, fr", "fr"), ("de", "en"),
        ("en;q=0.5, fr;q=0.9", "fr"), ("en;q=0.9,fr;q=0.91", "fr"), ("de, en;q=0.3, fr;q=0.4", "fr"),
        ("fr;q=0", "en"), ("fr;q=0.000, *", "en"), ("*", "en"),
        ("en;q=0, *", "fr"), ("*, en;q=0", "fr"), ("en;q=0, fr;q=0, *;q=0.1", "it"),
        ("*;q=0.5, en;q=0.4", "fr"), ("*;q=0.5, fr;q=0.6", "fr"), ("en;q=0.4, fr;q=0.3, it;q=0.2, *", "en"), ("*;q=0", "en"),
        ("en;q=0", "fr"), ("en;q=0, de", "fr"), ("en;q=0, en-GB;q=0.5", "en"), ("it;q=0.1, *;q=0", "it"), ("en-US;q=0, *;q=0.001", "fr"),
        ("fr ; q=0.8 , en ; q=0.7", "fr"), ("", "en"),
        (",,;q=1,fr", "fr"), ("french", "en"), ("it-IT, fr", "it"),
    ])
    func theLanguageIsTheBestThatThereIs(_ transport: Transport, _ example: (list: String, language: String)) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            let answer = try await site.get(target, ["Accept-Language": example.list])
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Language"] == example.language, "\(target)")
            #expect(answer.text.contains(example.language == "fr" ? "Mémos" : "Notes"))
        }
    }

    @Test(arguments: Transport.allCases)
    func theParameterWinsOverTheHeader(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (locale, language) in [("fr", "fr"), ("fr-CA", "fr"), ("EN", "en")] {
            let headers: Headers = ["Accept-Language": language == "fr" ? "en" : "fr"]
            for target in ["/screens/notes?locale=\(locale)", "/screens?locale=\(locale)"] {
                #expect(try await site.get(target, headers).headers["Content-Language"] == language)
            }
        }
    }

    @Test(arguments: Transport.allCases, ["de", "", "*", "xx-fr"])
    func aLocaleThatIsNotSpokenListsThoseThatAre(_ transport: Transport, _ locale: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes?locale=\(locale)", "/screens?locale=\(locale)"] {
            let answer = try await site.get(target, ["Accept-Language": "fr"])
            #expect(try answer.expectProblem("invalid-parameters", 400, at: ["parameter locale"]).contains("en, fr, it."))
        }
    }

    @Test(arguments: Transport.allCases, [
        "*/*", "application/json", "application/*", "Application/JSON", "text/html, application/json;q=0.1",
        "text/html,*/*;q=0.8",
        "application/json; charset=utf-8", "application/json;q=1.0, */*;q=0", "",
    ])
    func whoTakesJSONGetsIt(_ transport: Transport, _ accept: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            #expect(try await site.get(target, ["Accept": accept]).status == 200)
        }
    }

    @Test(arguments: Transport.allCases, [
        "text/html", "application/json;q=0", "application/json;q=0, */*", "text/*, image/png",
        "application/problem+json", "*/*;q=0",
    ])
    func whoTakesNoJSONIsRefused(_ transport: Transport, _ accept: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            let answer = try await site.get(target, ["Accept": accept])
            #expect(try answer.expectProblem("not-acceptable", 406).contains("application/json"))
        }
    }

    @Test(arguments: Transport.allCases)
    func aPreferenceMayStandInSeveralFields(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let headers: Headers = [
            "Accept": "text/html", "Accept-Language": "de", "accept": "application/json", "accept-language": "fr",
        ]
        let answer = try await site.get("/screens/notes", headers)
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Language"] == "fr")
    }
}
