import Foundation
import HTTPClient
import RawServer
import Testing

struct RedirectsTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectOnTheSameServerIsFollowed(status: Int) async throws {
        let server = RawServer { $0 == "/old/a" ? .response(status, "Location: ../new?b=c") : .response(body: "here") }
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url.appending(path: "old/a")) == HTTPClient.Answer(200, "here"))
        #expect(server.targets == ["/old/a", "/new?b=c"])
    }

    @Test func theSameServerMayBeNamedInFull() async throws {
        let port = Port()
        let server = RawServer { target in
            target == "/" ? .response(302, "Location: HTTP://127.0.0.1:\(port.number)/new") : .response(body: "here")
        }
        defer { server.stop() }
        port.number = server.port
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(200, "here"))
    }

    @Test func aRedirectElsewhereIsTheAnswer() async throws {
        let other = RawServer(.response(body: "elsewhere"))
        defer { other.stop() }
        let places = [
            "http://127.0.0.1:\(other.port)/", "http://localhost:\(other.port)/", "//127.0.0.1:\(other.port)/",
            "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:\(other.port)/",
        ]
        for place in places {
            let server = RawServer(.response(302, "Location: \(place)", body: "moved"))
            defer { server.stop() }
            #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(302, "moved"), "\(place)")
            #expect(server.targets.count == 1)
        }
        #expect(other.targets == [])
    }

    @Test(arguments: ["https://127.0.0.1:PORT/", "http://user@127.0.0.1:PORT/", "http://user:word@127.0.0.1:PORT/"])
    func anotherSchemeOrSomebodysNameIsElsewhere(place: String) async throws {
        let port = Port()
        let server = RawServer { _ in
            .response(302, "Location: \(place.replacing("PORT", with: "\(port.number)"))", body: "moved")
        }
        defer { server.stop() }
        port.number = server.port
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(302, "moved"))
        #expect(server.targets.count == 1)
    }

    @Test func aUsersNameInBothURLsMakesNoOtherServerTheSame() async throws {
        let other = RawServer(.response(body: "elsewhere"))
        defer { other.stop() }
        let places = [
            "http://user:word@127.0.0.1:\(other.port)/", "http://other@127.0.0.1:\(other.port)/", "http://127.0.0.1:\(other.port)/",
            "http://other:word@127.0.0.1:PORT/", "http://user:other@127.0.0.1:PORT/",
        ]
        for place in places {
            let port = Port()
            let server = RawServer { _ in
                .response(302, "Location: \(place.replacing("PORT", with: "\(port.number)"))", body: "moved")
            }
            defer { server.stop() }
            port.number = server.port
            let url = URL(string: "http://user:word@127.0.0.1:\(server.port)/")!
            #expect(try await HTTPClient.patient().get(url) == HTTPClient.Answer(302, "moved"), "\(place)")
            #expect(server.targets.count == 1)
        }
        #expect(other.targets == [])
    }

    @Test(arguments: ["/new", "http://user:word@127.0.0.1:PORT/new", "http://127.0.0.1:PORT/new"])
    func aRedirectOnTheServerOfAURLWithAUserIsFollowed(place: String) async throws {
        let port = Port()
        let server = RawServer { target in
            target == "/" ? .response(302, "Location: \(place.replacing("PORT", with: "\(port.number)"))") : .response(body: "here")
        }
        defer { server.stop() }
        port.number = server.port
        let url = URL(string: "http://user:word@127.0.0.1:\(server.port)/")!
        #expect(try await HTTPClient.patient().get(url) == HTTPClient.Answer(200, "here"))
        #expect(server.targets == ["/", "/new"])
    }

    @Test func threeRedirectsAreFollowed() async throws {
        let server = RawServer { target in
            let count = target.count - 1
            return count < 3 ? .response(302, "Location: \(target)x") : .response(body: "here")
        }
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(200, "here"))
        #expect(server.targets == ["/", "/x", "/xx", "/xxx"])
    }

    @Test func theFourthIsTheAnswer() async throws {
        let server = RawServer { .response(302, "Location: \($0)x", body: "moved") }
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url) == HTTPClient.Answer(302, "moved"))
        #expect(server.targets == ["/", "/x", "/xx", "/xxx"])
    }

    @Test(arguments: ["Location: ", "X: y"]) func aRedirectToNowhereIsTheAnswer(field: String) async throws {
        let server = RawServer(.response(302, field, body: "moved"))
        defer { server.stop() }
        #expect(try await HTTPClient.patient().get(server.url).status == 302)
    }
}
