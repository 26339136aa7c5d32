import HTTPServer
import RawClient
import ScreenHTTP
import ScreenWire
import Testing

@Suite(.serialized) struct SnapshotTests {
    @Test(arguments: Transport.allCases)
    func aSnapshotSaysWhatItIsAndHowItMayBeKept(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes")
        let version = try answer.version
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Content-Language"] == "en")
        #expect(answer.headers["Content-Length"] == String(answer.body.count))
        #expect(answer.headers["ETag"] == "\"\(version)\"")
        #expect(answer.headers["Vary"] == "Accept, Accept-Language")
        let opening = #"{"kind":"snapshot","screen":"notes","version":"\#(version)","layout":"table","title":"Notes","#
        #expect(answer.text.hasPrefix(opening + #""sections":[{"id":"inbox","header":{"type":"list","title":"inbox"}"#))
        #expect(try answer.json["sections"]?.elements[0]["cells"]?.elements.map { $0["id"]?.text } == ["1", "2", "3", "4", "5"])
    }

    @Test(arguments: Transport.allCases)
    func whatIsForAUserMayNotBeKeptByOthers(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/screens/notes").headers["Cache-Control"] == "private, no-cache")
        #expect(try await site.get("/screens/news").headers["Cache-Control"] == "no-cache")
    }

    @Test(arguments: Transport.allCases)
    func whoHasTheVersionIsNotSentItAgain(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let whole = try await site.get("/screens/notes")
        let tag = try #require(whole.headers["ETag"])
        for list in [tag, "W/\(tag)", "*", "\"other\", \(tag)", "\"other\" ,\tW/\(tag),", " \(tag) "] {
            let answer = try await site.get("/screens/notes", ["If-None-Match": list])
            #expect(answer.status == 304, "\(list)")
            #expect(answer.body.isEmpty)
            #expect(answer.headers["Content-Length"] ?? String(whole.body.count) == String(whole.body.count))
            for name in ["ETag", "Cache-Control", "Vary", "Content-Language"] {
                #expect(answer.headers[name] == whole.headers[name], "\(name)")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func whoHasTheListOfScreensIsNotSentItAgain(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let whole = try await site.get("/screens")
        let tag = try #require(whole.headers["ETag"])
        #expect(whole.headers["Content-Type"] == "application/json")
        #expect(whole.headers["Cache-Control"] == "private, no-cache")
        #expect(whole.headers["Vary"] == "Accept, Accept-Language")
        for list in [tag, "W/\(tag)", "*", "\"other\", \(tag)"] {
            let answer = try await site.get("/screens", ["If-None-Match": list])
            #expect(answer.status == 304, "\(list)")
            #expect(answer.body.isEmpty)
            for name in ["ETag", "Cache-Control", "Vary", "Content-Language"] {
                #expect(answer.headers[name] == whole.headers[name], "\(name)")
            }
        }
        let french = try await site.get("/screens?locale=fr", ["If-None-Match": tag])
        #expect(french.status == 200)
        #expect(french.text.contains("Mémos"))
        #expect(try await site.get("/screens?locale=fr", ["If-None-Match": try #require(french.headers["ETag"])]).status == 304)
    }

    @Test func theListOfScreensIsMadeOnceForALanguage() async throws {
        let site = try await Transport.memory.serve()
        for language in ["en", "fr"] { _ = try await site.get("/screens?locale=\(language)") }
        func prepared(_ language: String) throws -> PreparedResponse {
            let reply = site.api.reply(to: Request(method: "GET", target: "/screens?locale=\(language)"))
            guard case .now(.prepared(let response)) = reply.content else { throw NotPrepared() }
            return response
        }
        #expect(try prepared("en") === prepared("en"))
        #expect(try prepared("en") !== prepared("fr"))
    }

    private struct NotPrepared: Error {}

    @Test(arguments: Transport.allCases)
    func aListOfTagsMayStandInSeveralFields(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let tag = try #require(try await site.get("/screens/notes").headers["ETag"])
        let headers: Headers = ["If-None-Match": "\"other\"", "If-None-Match": tag]
        #expect(try await site.get("/screens/notes", headers).status == 304)
    }

    @Test(arguments: Transport.allCases)
    func whoHasAnotherVersionIsSentTheSnapshot(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let tag = try #require(try await site.get("/screens/notes").headers["ETag"])
        site.notes.set("inbox", to: ["6"])
        for list in [tag, "", "\"other\"", tag.dropLast() + "x\"", "w/\(tag)", tag.replacing("\"", with: "")] {
            let answer = try await site.get("/screens/notes", ["If-None-Match": list])
            #expect(answer.status == 200, "\(list)")
            #expect(answer.text.contains("note 6"))
        }
    }

    @Test(arguments: Transport.allCases)
    func aConditionHoldsWhereTheViewIsNotComputedYet(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let tag = try #require(try await site.get("/screens/notes").headers["ETag"])
        site.notes.set("inbox", to: ["1", "2", "3", "4", "5"])
        #expect(try await site.get("/screens/notes", ["If-None-Match": tag]).status == 304)
    }

    @Test(arguments: Transport.allCases)
    func headGivesTheFieldsOfGetAndNoBody(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes", "/healthz", "/screens/none"] {
            let get = try await site.get(target)
            let head = try await site.ask(Request(method: "HEAD", target: target))
            #expect(head.status == get.status)
            #expect(head.body.isEmpty)
            for name in ["Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary"] {
                #expect(head.headers[name] == get.headers[name], "\(name) of \(target)")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func theListOfScreensNamesThemAndTheirParameters(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens", ["Accept-Language": "fr"])
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Content-Language"] == "fr")
        #expect(answer.headers["Vary"] == "Accept, Accept-Language")
        let screens = try #require(try answer.json["screens"]).elements
        #expect(screens.map { $0["name"]?.text } == ["notes", "news"])
        #expect(screens.map { $0["title"]?.text } == ["Mémos", "News"])
        #expect(screens[0]["parameters"]?.elements.map { $0["name"]?.text } == ["list", "limit", "order"])
        #expect(screens[0]["parameters"]?.elements.map { $0["default"]?.text } == ["inbox", "100", "given"])
    }

    private struct HasToWait: Error {}

    @Test func whatIsAtHandIsAnsweredAtOnce() async throws {
        let site = try await Transport.memory.serve()
        let version = try await site.get("/screens/notes").version
        _ = try await site.changes("/screens/notes/changes", since: version)
        guard case .now = site.api.reply(to: Request(method: "GET", target: "/screens/notes")).content else { throw HasToWait() }
        let post = site.api.reply(to: Request(method: "POST", target: "/screens/notes/changes"))
        guard case .reading(let reading) = post.content else { throw HasToWait() }
        guard case .now = try reading.read(.success(Array(#"{"version":"\#(version)"}"#.utf8))).content else { throw HasToWait() }
    }
}
