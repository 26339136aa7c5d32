import Foundation
import HTTPClient
import RawServer
import Testing

struct RedirectsTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectOnTheSameServerIsFollowed(status: Int) async throws {
        let server = RawServer { $0 == "/old/a" ? .response(status, "Location: ../new?b=c", body: "moved") : .response(body: "here") }
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url.appending(path: "old/a")) == Answer(200, "here"))
        #expect(server.targets == ["/old/a", "/new?b=c"])
    }

    @Test func redirectsAreFollowedOnlyForGETAndHEAD() async throws {
        let server = RawServer { $0 == "/" ? .response(307, "Location: /new", body: "moved") : .response(body: "here") }
        defer { server.stop() }
        let client = HTTPClient()
        #expect(try await client.answer("HEAD", server.url) == Answer(200, ""))
        for method in ["POST", "PUT", "DELETE"] { #expect(try await client.answer(method, server.url) == Answer(307, "moved")) }
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        #expect(try await stream.rest() == Array("here".utf8))
        #expect(server.targets == ["/", "/new", "/", "/", "/", "/", "/new"])
    }

    @Test func anAbsoluteRedirectToTheSameServerIsFollowed() async throws {
        let port = Port()
        let server = RawServer { target in
            target == "/" ? .response(302, "Location: HTTP://127.0.0.1:\(port.number)/new") : .response(body: "here")
        }
        defer { server.stop() }
        port.number = server.port
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(200, "here"))
    }

    @Test func aRedirectToAnotherServerIsReturnedAndNotFollowed() async throws {
        let other = RawServer(.response(body: "elsewhere"))
        defer { other.stop() }
        let places = [
            "http://127.0.0.1:\(other.port)/", "http://localhost:\(other.port)/", "//127.0.0.1:\(other.port)/",
            "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:\(other.port)/",
        ]
        for place in places {
            let server = RawServer(.response(302, "Location: \(place)", body: "moved"))
            defer { server.stop() }
            #expect(try await HTTPClient().answer("GET", server.url) == Answer(302, "moved"), "\(place)")
            #expect(server.targets.count == 1)
        }
        #expect(other.targets == [])
    }

    @Test(arguments: ["https://127.0.0.1:PORT/", "http://user@127.0.0.1:PORT/", "http://user:word@127.0.0.1:PORT/"])
    func aRedirectToAnotherSchemeOrToAURLWithAUserNameIsReturnedAndNotFollowed(place: String) async throws {
        let port = Port()
        let server = RawServer { _ in
            .response(302, "Location: \(place.replacing("PORT", with: "\(port.number)"))", body: "moved")
        }
        defer { server.stop() }
        port.number = server.port
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(302, "moved"))
        #expect(server.targets.count == 1)
    }

    @Test func aRedirectToAnotherServerOrWithOtherCredentialsIsNotFollowed() async throws {
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
            #expect(try await HTTPClient().answer("GET", url) == Answer(302, "moved"), "\(place)")
            #expect(server.targets.count == 1)
        }
        #expect(other.targets == [])
    }

    @Test(arguments: ["/new", "http://user:word@127.0.0.1:PORT/new", "http://127.0.0.1:PORT/new"])
    func aRedirectFromAURLWithAUserNameIsFollowedOnTheSameServer(place: String) async throws {
        let port = Port()
        let server = RawServer { target in
            target == "/" ? .response(302, "Location: \(place.replacing("PORT", with: "\(port.number)"))") : .response(body: "here")
        }
        defer { server.stop() }
        port.number = server.port
        let url = URL(string: "http://user:word@127.0.0.1:\(server.port)/")!
        #expect(try await HTTPClient().answer("GET", url) == Answer(200, "here"))
        #expect(server.targets == ["/", "/new"])
    }

    @Test func threeRedirectsAreFollowed() async throws {
        let server = RawServer { target in
            let count = target.count - 1
            return count < 3 ? .response(302, "Location: \(target)x") : .response(body: "here")
        }
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(200, "here"))
        #expect(server.targets == ["/", "/x", "/xx", "/xxx"])
    }

    @Test func theFourthRedirectIsReturnedAndNotFollowed() async throws {
        let server = RawServer { .response(302, "Location: \($0)x", body: "moved") }
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(302, "moved"))
        #expect(server.targets == ["/", "/x", "/xx", "/xxx"])
    }

    @Test(arguments: ["Location: ", "X: y"]) func aRedirectWithoutALocationIsReturned(field: String) async throws {
        let server = RawServer(.response(302, field, body: "moved"))
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url).status == 302)
    }
}
