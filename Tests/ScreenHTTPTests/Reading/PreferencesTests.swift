import HTTPServer
import RawClient
import ScreenService
import Testing

@testable import ScreenHTTP

@Suite(.serialized) struct PreferencesTests {
    @Test(
        arguments: Transport.allCases,
        [
            ("fr", "fr"), ("fr-CH", "fr"), ("FR", "fr"), ("en, fr", "en"), ("fr, en", "fr"), ("de, fr", "fr"), ("de", "en"),
            ("en;q=0.5, fr;q=0.9", "fr"), ("en;q=0.9,fr;q=0.91", "fr"), ("de, en;q=0.3, fr;q=0.4", "fr"),
            ("fr;q=0", "en"), ("fr;q=0.000, *", "en"), ("*", "en"),
            ("en;q=0, *", "fr"), ("*, en;q=0", "fr"), ("en;q=0, fr;q=0, *;q=0.1", "it"),
            ("*;q=0.5, en;q=0.4", "fr"), ("*;q=0.5, fr;q=0.6", "fr"), ("en;q=0.4, fr;q=0.3, it;q=0.2, *", "en"), ("*;q=0", "en"),
            ("en;q=0", "fr"), ("en;q=0, de", "fr"), ("en;q=0, en-GB;q=0.5", "en"), ("it;q=0.1, *;q=0", "it"),
            ("en-US;q=0, *;q=0.001", "fr"),
            ("fr ; q=0.8 , en ; q=0.7", "fr"), ("", "en"),
            (",,;q=1,fr", "fr"), ("french", "en"), ("it-IT, fr", "it"),
        ])
    func theResponseIsInTheBestAvailableLanguage(_ transport: Transport, _ example: (list: String, language: String)) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            let answer = try await site.get(target, ["Accept-Language": example.list])
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Language"] == example.language, "\(target)")
            #expect(answer.text.contains(example.language == "fr" ? "Mémos" : "Notes"))
        }
    }

    @Test(arguments: Transport.allCases)
    func theLocaleParameterTakesPrecedenceOverAcceptLanguage(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (locale, language) in [("fr", "fr"), ("fr-CA", "fr"), ("EN", "en")] {
            let headers: Headers = ["Accept-Language": language == "fr" ? "en" : "fr"]
            for target in ["/screens/notes?locale=\(locale)", "/screens?locale=\(locale)"] {
                #expect(try await site.get(target, headers).headers["Content-Language"] == language)
            }
        }
    }

    @Test(arguments: Transport.allCases, ["de", "", "*", "xx-fr"])
    func theProblemOfAnUnknownLocaleListsTheAvailableLocales(_ transport: Transport, _ locale: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes?locale=\(locale)", "/screens?locale=\(locale)"] {
            let answer = try await site.get(target, ["Accept-Language": "fr"])
            #expect(try answer.expectProblem("invalid-parameters", 400, at: ["parameter locale"]).contains("en, fr, it."))
        }
    }

    @Test(
        arguments: Transport.allCases,
        [
            "*/*", "application/json", "application/*", "Application/JSON", "text/html, application/json;q=0.1",
            "text/html,*/*;q=0.8",
            "application/json; charset=utf-8", "application/json;q=1.0, */*;q=0", "",
        ])
    func aRequestThatAcceptsJSONSucceeds(_ transport: Transport, _ accept: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            #expect(try await site.get(target, ["Accept": accept]).status == 200)
        }
    }

    @Test(
        arguments: Transport.allCases,
        [
            "text/html", "application/json;q=0", "application/json;q=0, */*", "text/*, image/png",
            "application/problem+json", "*/*;q=0",
        ])
    func aRequestThatDoesNotAcceptJSONIsRejected(_ transport: Transport, _ accept: String) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes"] {
            let answer = try await site.get(target, ["Accept": accept])
            #expect(try answer.expectProblem("not-acceptable", 406).contains("application/json"))
        }
    }

    @Test(arguments: Transport.allCases)
    func repeatedAcceptFieldsAreReadAsOneList(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let headers: Headers = [
            "Accept": "text/html", "Accept-Language": "de", "accept": "application/json", "accept-language": "fr",
        ]
        let answer = try await site.get("/screens/notes", headers)
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Language"] == "fr")
    }
}

/// Tests of functions that parse a single header field.
@Suite(.timeLimit(.minutes(1))) struct PreferenceParsingTests {
    @Test(
        arguments: [
            ("wait=5", 5), ("WAIT=5", 5), (#"wait="5""#, 5), ("wait = 5", 5), ("wait=05", 5), ("wait=0", 0), ("wait=60", 60),
            ("wait=61", 60), ("wait=86400", 60), ("wait=99999999999999999999999", 60), ("respond-async, wait=7", 7),
            ("respond-async,wait=7;x=y", 7), (#"handling=lenient, wait="7" , return=minimal"#, 7), (",, wait=3", 3),
            ("wait=3, wait=9", 3), ("wait=x, wait=9", nil), ("wait", nil), ("wait=", nil), (#"wait="""#, nil), ("wait=-1", nil),
            ("wait=+5", nil), ("wait=5s", nil), ("wait=1.5", nil), ("wait=५", nil), (#"wait="5"#, nil), ("waiting=5", nil),
            ("x;wait=5", nil), ("", nil), ("5", nil), ("=5", nil),
        ] as [(String, Int?)])
    func theWaitPreferenceIsReadFromAPreferField(_ example: (prefer: String, seconds: Int?)) {
        #expect(Preferences.wait(prefer: example.prefer) == example.seconds, "\(example.prefer)")
    }

    @Test(arguments: [
        ("return=minimal", true), ("Return=minimal", true), (#"return="minimal""#, true), ("wait=5, return=minimal", true),
        ("return=minimal;x=y, wait=5", true), ("return=Minimal", false), ("return=representation", false), ("return", false),
        ("return=", false), ("return=representation, return=minimal", false), ("x;return=minimal", false), ("minimal", false),
        ("returns=minimal", false), ("", false),
    ])
    func theReturnPreferenceIsReadFromAPreferField(_ example: (prefer: String, isMinimal: Bool)) {
        #expect(Preferences.prefersMinimalResponse(prefer: example.prefer) == example.isMinimal, "\(example.prefer)")
    }

    @Test(arguments: [
        ("text/event-stream", true), ("Text/Event-Stream", true), ("TEXT/EVENT-STREAM", true), ("text/event-stream;q=0.1", true),
        ("text/event-stream, application/json", false), ("application/json, text/event-stream", false),
        ("text/event-stream, */*", false), ("text/event-stream, application/*", false), ("text/event-stream;q=0.9, */*;q=0.9", false),
        ("text/event-stream, application/json;q=0.9", true), ("text/event-stream, application/json;q=0, */*", true),
        ("text/event-stream;q=0.1, text/html", true), ("text/event-stream, application/*;q=0.5, */*", true),
        ("application/json;q=0.5, text/event-stream;q=0.9", true), ("text/event-stream, */*;q=0.1", true),
        ("*/*, text/event-stream;q=0.5", false), ("application/json, text/event-stream;q=0.9", false),
        ("text/event-stream;q=0", false), ("text/*", false), ("*/*", false), ("application/json", false), ("", false),
    ])
    func anEventStreamIsPreferredIfAcceptGivesItAGreaterWeightThanJSON(_ example: (accept: String, streams: Bool)) {
        #expect(Preferences.prefersEventStream(accept: example.accept) == example.streams, "\(example.accept)")
    }

    /// Finding the language for `*` reads the whole field, so it must happen only once. Otherwise the test would take minutes.
    @Test func anAcceptLanguageFieldWithThousandsOfRangesIsReadInLinearTime() {
        let field = String(repeating: "*,", count: 20_000) + "en;q=0,fr;q=0"
        #expect(Preferences.locale(acceptLanguage: field, of: [.french, .english]) == .french)
    }
}
