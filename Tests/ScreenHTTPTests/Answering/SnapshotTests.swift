import Foundation
import HTTPServer
import RawClient
import ScreenHTTP
import ScreenWire
import Testing

@Suite(.serialized) struct SnapshotTests {
    @Test(arguments: Transport.allCases)
    func aSnapshotIsSentWithItsHeaderFields(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes")
        let version = try answer.version
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Content-Language"] == "en")
        #expect(answer.headers["Content-Length"] == String(answer.receivedCount))
        #expect(answer.headers["ETag"] == "\"\(version)\"")
        #expect(answer.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language")
        let opening = #"{"kind":"snapshot","screen":"notes","version":"\#(version)","layout":"table","title":"Notes","#
        #expect(answer.text.hasPrefix(opening + #""sections":[{"id":"inbox","header":{"type":"list","title":"inbox"}"#))
        #expect(try answer.json["sections"]?.elements[0]["cells"]?.elements.map { $0["id"]?.text } == ["1", "2", "3", "4", "5"])
    }

    @Test(arguments: Transport.allCases)
    func onlyASnapshotForAUserIsMarkedAsPrivate(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/screens/notes").headers["Cache-Control"] == "private, no-cache")
        #expect(try await site.get("/screens/news").headers["Cache-Control"] == "no-cache")
        #expect(try await site.get("/screens/news/changes").headers["Cache-Control"] == "no-store")
    }

    @Test(arguments: Transport.allCases, ["/screens/notes", "/screens"])
    func aRequestWithTheCurrentEntityTagIsAnsweredWith304(_ transport: Transport, _ target: String) async throws {
        let site = try await transport.serve()
        let full = try await site.get(target)
        let tag = try #require(full.headers["ETag"])
        let lists: [Headers] = [tag, "W/\(tag)", "*", "\"other\", \(tag)", "\"other\" ,\tW/\(tag),", " \(tag) "].map {
            ["If-None-Match": $0]
        }
        for headers in lists + [["If-None-Match": "\"other\"", "If-None-Match": tag]] {
            let answer = try await site.get(target, headers)
            #expect(answer.status == 304, "\(headers)")
            #expect(answer.body.isEmpty)
            #expect(answer.headers["Content-Length"] ?? String(full.receivedCount) == String(full.receivedCount))
            for name in ["ETag", "Cache-Control", "Vary", "Content-Language"] {
                #expect(answer.headers[name] == full.headers[name], "\(name)")
            }
        }
        let french = try await site.get("\(target)?locale=fr", ["If-None-Match": tag])
        #expect(french.status == 200)
        #expect(french.text.contains("Mémos"))
    }

    @Test func theListOfScreensIsCachedSeparatelyForEachLanguage() async throws {
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
    func aRequestWithoutTheCurrentEntityTagReceivesTheSnapshot(_ transport: Transport) async throws {
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
    func theCurrentEntityTagIsAnsweredWith304EvenIfTheViewIsNotCached(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let tag = try #require(try await site.get("/screens/notes").headers["ETag"])
        site.notes.set("inbox", to: ["1", "2", "3", "4", "5"])
        #expect(try await site.get("/screens/notes", ["If-None-Match": tag]).status == 304)
    }

    @Test(arguments: Transport.allCases)
    func theResponseToAHEADRequestHasTheHeaderFieldsOfAGETRequestAndNoBody(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens", "/screens/notes/changes", "/healthz", "/screens/none"] {
            // A problem has the id of its request.
            let fields: Headers = ["X-Request-Id": "a"]
            let get = try await site.get(target, fields)
            let head = try await site.ask(Request(method: "HEAD", target: target, headers: fields))
            #expect(head.status == get.status)
            #expect(head.body.isEmpty)
            for name in ["Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary"] {
                #expect(head.headers[name] == get.headers[name], "\(name) of \(target)")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func theListOfScreensHasNamesTitlesAndParameters(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens", ["Accept-Language": "fr"])
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Content-Language"] == "fr")
        #expect(answer.headers["Cache-Control"] == "private, no-cache")
        #expect(answer.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language")
        let screens = try #require(try answer.json["screens"]).elements
        #expect(screens.map { $0["name"]?.text } == ["notes", "news"])
        #expect(screens.map { $0["title"]?.text } == ["Mémos", "News"])
        #expect(screens[0]["parameters"]?.elements.map { $0["name"]?.text } == ["list", "limit", "order"])
        #expect(screens[0]["parameters"]?.elements.map { $0["default"]?.text } == ["inbox", "100", "given"])
    }

    private struct NotImmediate: Error {}

    @Test func aRequestForACachedDocumentIsAnsweredImmediately() async throws {
        let site = try await Transport.memory.serve()
        let version = try await site.get("/screens/notes").version
        _ = try await site.changes("/screens/notes/changes", since: version)
        guard case .now = site.api.reply(to: Request(method: "GET", target: "/screens/notes")).content else { throw NotImmediate() }
        let post = site.api.reply(to: Request(method: "POST", target: "/screens/notes/changes"))
        guard case .reading(let reading) = post.content else { throw NotImmediate() }
        guard case .now = try reading.read(.success(Array(#"{"version":"\#(version)"}"#.utf8))).content else { throw NotImmediate() }
    }

    @Test(arguments: Transport.allCases)
    func theSourceCodeOfAnExampleScreenIsTheFileThatDefinesTheScreen(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/screens/notes/source")
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Screens/Notes.swift").standardized
        #expect(answer.body == Array(try Data(contentsOf: file)))
        #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(try await site.get("/screens").text.contains(#""example":{"source":"/screens/notes/source"}"#))
    }

    @Test(arguments: Transport.allCases)
    func aScreenThatIsNotAnExampleHasNoSourceCode(_ transport: Transport) async throws {
        let site = try await transport.serve()
        try await site.get("/screens/news/source").expectProblem("not-found", 404)
        try await site.get("/screens/none/source").expectProblem("not-found", 404)
    }
}
