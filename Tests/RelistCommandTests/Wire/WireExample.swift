import HTTPServer
import Testing

/// A document that is compared with a fixture: the name of the fixture, and a function that requests the document.
struct WireExample: Sendable, CustomTestStringConvertible {
    let name: String
    let document: @Sendable (WireSite) async throws -> [UInt8]

    var testDescription: String { name }

    static let all = screens + problems

    private static let screens = [
        WireExample(name: "screens") { await $0.ask("GET", "/screens") },
        snapshot("deliveries-en", "/screens/deliveries?locale=en"),
        snapshot("deliveries-fr", "/screens/deliveries?locale=fr"),
        snapshot("settings-en", "/screens/settings?locale=en"),
        snapshot("settings-merged-en", "/screens/settings?layout=merged&locale=en"),
        changes(
            "settings-en-to-merged", of: "settings", from: ("settings-en", "locale=en"),
            to: ("settings-merged-en", "layout=merged&locale=en")
        ),
        snapshot("posts-limit-2", "/screens/posts?limit=2&locale=en"),
        snapshot("mountains-mon-en", "/screens/mountains?q=mon&locale=en"),
        snapshot("mountains-none-fr", "/screens/mountains?q=monty&locale=fr"),
        changes(
            "mountains-mon-to-mont", of: "mountains", from: ("mountains-mon-en", "q=mon&locale=en"),
            to: ("mountains-mont-en", "q=mont&locale=en")
        ),
        snapshot("artist-en", "/screens/artist?locale=en"),
        snapshot("artist-album-fr", "/screens/artist?album=unquiet-waters&width=768&locale=fr"),
        changes(
            "artist-to-album", of: "artist", from: ("artist-en", "locale=en"),
            to: ("artist-album-en", "album=timetables&locale=en")
        ),
        snapshot("wifi-fr", "/screens/wifi?locale=fr"),
    ]

    private static let json: Headers = ["Content-Type": "application/json"]

    /// Examples of problems, one for each type of problem.
    private static let problems = [
        problem("invalid-target") { await $0.ask("GET", "/screens/%zz") },
        problem("invalid-parameters") { await $0.ask("GET", "/screens/posts?limit=0&locale=de&from=x&version=v") },
        problem("no-such-value") { await $0.ask("GET", "/screens/deliveries?contract=0") },
        problem("invalid-input") { site in
            await site.ask("POST", "/screens/deliveries/actions/weigh", json, #"{"input":{"kilograms":0}}"#)
        },
        problem("broken-rule") { site in
            let input = #"{"input":{"day":"2018-09-01","kilograms":1}}"#
            return await site.ask("POST", "/screens/deliveries/actions/schedule?locale=fr", json, input)
        },
        problem("unknown-action") { await $0.ask("POST", "/screens/wifi/actions/fly", json, "{}") },
        problem("unsupported-media-type") { await $0.ask("POST", "/screens/wifi/actions/toggle", [:], "{}") },
        problem("reused-key") { site in
            let headers: Headers = ["Content-Type": "application/json", "Idempotency-Key": "k"]
            _ = await site.ask("POST", "/screens/wifi/actions/toggle", headers, #"{"input":{"on":true}}"#)
            return await site.ask("POST", "/screens/wifi/actions/toggle", headers, #"{"input":{"on":false}}"#)
        },
        problem("invalid-body") { await $0.ask("POST", "/screens/posts/changes", [:], #"{"version":1}"#) },
        problem("not-json") { await $0.ask("POST", "/screens/posts/changes", [:], "version=1") },
        problem("unknown-screen") { await $0.ask("GET", "/screens/none") },
        problem("not-found") { await $0.ask("GET", "/none") },
        problem("method-not-allowed") { await $0.ask("DELETE", "/screens/posts") },
        problem("not-acceptable") { await $0.ask("GET", "/screens", ["Accept": "text/html"]) },
        problem("internal-error") { site in
            await site.close()
            return await site.ask("GET", "/screens/posts")
        },
        problem("invalid-request") { await $0.ask("GET", "/screens", refusal: .host(count: 2)) },
        problem("body-too-large") { await $0.ask("POST", "/screens", refusal: .bodyTooLarge(limit: 10)) },
        problem("unavailable") { await $0.ask("GET", "/screens", refusal: .tooManyConnections) },
    ]

    private static func snapshot(_ name: String, _ target: String) -> WireExample {
        WireExample(name: name) { try await $0.snapshot(target, named: name).bytes }
    }

    /// Returns an example of the changes between two versions.
    ///
    /// - Parameters: for each of the two versions, its name in the fixture and its query string.
    private static func changes(
        _ name: String, of screen: String, from old: (name: String, query: String), to new: (name: String, query: String)
    ) -> WireExample {
        WireExample(name: name) { site in
            let version = try await site.snapshot("/screens/\(screen)?\(old.query)", named: old.name).version
            _ = try await site.snapshot("/screens/\(screen)?\(new.query)", named: new.name)
            return await site.ask("POST", "/screens/\(screen)/changes?\(new.query)", [:], #"{"version":"\#(version)"}"#)
        }
    }

    private static func problem(_ name: String, _ document: @escaping @Sendable (WireSite) async -> [UInt8]) -> WireExample {
        WireExample(name: "problem-\(name)", document: document)
    }
}
