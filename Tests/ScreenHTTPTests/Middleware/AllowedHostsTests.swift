import HTTPServer
import RawClient
import ScreenService
import Testing

@testable import ScreenHTTP

@Suite struct AllowedHostsTests {
    private static let names = ["lists.example.com", "Intranet."].compactMap(AllowedHosts.Name.init)

    /// Returns the status of the response. The status is 200 if the layer allows the request.
    private func status(
        _ headers: Headers, target: String = "/", refusal: Refusal? = nil, _ names: [AllowedHosts.Name] = names
    ) throws -> Int {
        let request = Request(method: "GET", target: target, headers: headers, refusal: refusal)
        let reply = AllowedHosts(names).reply(to: RequestContext(request)) { _ in .response(Response()) }
        guard case .now(let answer) = reply.content else { return 0 }
        return answer.status
    }

    @Test(arguments: [
        "localhost", "LocalHost", "localhost.", "localhost:8080", "localhost:", "localhost.:80", "a.localhost", "A.b.LOCALHOST:1",
        "127.0.0.1", "127.0.0.1:8080", "10.0.0.255", "0.0.0.0", "255.255.255.255:1", "127.0.0.1.",
        "[::1]", "[::1]:8080", "[2001:db8::A]", "[::ffff:127.0.0.1]:80",
    ])
    func requestsForLocalHostNamesAndIPAddressesAreAllowed(_ host: String) throws {
        #expect(try status(["Host": host], []) == 200)
    }

    @Test(arguments: ["lists.example.com", "LISTS.example.com:443", "lists.example.com.", "intranet", "intranet.:8080"])
    func aConfiguredHostNameIsAllowed(_ host: String) throws {
        #expect(try status(["Host": host]) == 200)
        #expect(try status(["Host": host], []) == 421)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "evillocalhost", ".localhost", "localhost..", "localhost:80:80",
        "local",
        "127.0.0.1.evil.example", "evil.127.0.0.1", "127.0.0.1:8080.evil.example", "127.0.0.256", "127.0.0", "127.1", "127.0.0.01",
        "0127.0.0.1",
        "0x7f.0.0.1", "2130706433", "127.0.0.1..", "1.2.3.4.5", ".127.0.0.1", "::1", "[::1", "::1]", "[::1]evil", "[127.0.0.1]",
        "[::1%25lo]",
        "[evil.example]", "[]", "a@localhost", "localhost@evil.example", "localhost/", "%6cocalhost", "", ":", ":80", ".", "*",
        "lists.example.co",
        "xlists.example.com", "a.lists.example.com", "lists.example.com.evil", "localhost evil",
    ])
    func aRequestForAnUnknownHostIsRejected(_ host: String) throws {
        #expect(try status(["Host": host]) == 421)
    }

    @Test func aRequestWithoutAHostIsRejected() throws {
        #expect(try status([:]) == 421)
    }

    @Test(arguments: [
        ("http://evil.example/screens", "localhost", 421), ("http://localhost/screens", "evil.example", 200),
        ("http://localhost:8080?a", "evil.example", 200), ("http://evil.example?://localhost/", "localhost", 421),
        ("HTTP://LOCALHOST", "evil.example", 200), ("http://localhost@evil.example/", "localhost", 421),
        ("http:///screens", "localhost", 421),
        ("http://localhost#@evil.example/", "localhost", 421), ("/http://evil.example/", "localhost", 200),
        ("//evil.example/", "localhost", 200),
        ("/?http://evil.example/", "localhost", 200), ("*", "localhost", 200), ("*", "evil.example", 421),
    ])
    func theHostOfAnAbsoluteTargetTakesPrecedenceOverTheHostField(_ target: String, _ host: String, _ expected: Int) throws {
        #expect(try status(["Host": host], target: target) == expected)
    }

    @Test func theHostIsCheckedEvenIfTheHTTPServerRejectsTheRequest() throws {
        for refusal in [Refusal.bodyTooLarge(limit: 1), .headTooLong, .tooManyConnections, .transferCoding] {
            #expect(try status(["Host": "evil.example"], refusal: refusal) == 421)
            #expect(try status(["Host": "localhost"], refusal: refusal) == 200)
        }
        #expect(try status(["Host": "localhost", "Host": "evil.example"], refusal: .host(count: 2)) == 200)
        #expect(try status([:], refusal: .host(count: 0)) == 200)
        #expect(try status(["Host": "a b"], refusal: .hostName) == 200)
    }

    @Test(arguments: [
        "", ".", "a..b", ".a", "a.example:80", "http://a.example", "a.example/", "a b", "[::1]", "*", "*.example", "é.example", "a,b",
    ])
    func aTextThatIsNotAHostNameIsRejectedAsAnAllowedHost(_ text: String) {
        #expect(AllowedHosts.Name(text) == nil)
    }

    @Test(arguments: Transport.allCases)
    func aRequestForAnUnknownHostIsRejectedOnEveryPath(_ transport: Transport) async throws {
        let folder = try Folder(["hello.txt": "hello"])
        let site = try await transport.serve(folder, middleware: [AllowedHosts(), FixedCaller(.user("ada"))])
        let paths = [
            "/screens", "/screens/notes", "/screens/notes/changes", "/screens/none", "/openapi.json", "/healthz", "/readyz", "/metrics",
            "/hello.txt",
            "/none", "/%zz",
        ]
        for path in paths {
            // The host of an absolute target takes precedence over a `Host` field that the transport adds.
            let answer = try await site.get("http://evil.example\(path)", ["Accept": "text/event-stream, application/json"])
            try answer.expectProblem("misdirected", 421)
            #expect(try await site.get("http://localhost\(path)").status != 421, "\(path)")
        }
        let json: Headers = ["Content-Type": "application/json"]
        let action = try await site.post("http://evil.example/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, json)
        try action.expectProblem("misdirected", 421)
    }
}
