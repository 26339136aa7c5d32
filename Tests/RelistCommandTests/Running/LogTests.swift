import Foundation
import Glibc
import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct LogTests {
    /// A text that clients send in all places of requests, and that must not be in any log.
    private static let canary = "canary"

    private static let json: Headers = ["Content-Type": "application/json"]

    private static let settings = "/screens/settings/actions/changePassword"

    private static let requests: [(method: String, target: String, headers: Headers, body: String)] = [
        ("GET", "/screens/settings", ["Authorization": "Bearer canary.canary.canary"], ""),
        ("GET", "/screens/settings", ["Authorization": "Basic canary", "Cookie": "canary=canary", "Canary": "canary"], ""),
        ("POST", settings, json, #"{"input":{"password":"canary canary"}}"#),
        ("POST", settings, json, #"{"input":{"password":"canary canary"},"version":"canary"}"#),
        (
            "POST", settings, ["Content-Type": "application/json", "Idempotency-Key": "canary-canary-canary-canary"],
            #"{"input":{"password":"canary!"}}"#
        ),
        ("POST", settings, json, #"{"input":{"password":["canary"],"canary":"canary"}}"#),
        ("POST", settings, json, #"{"input":{"password":"canary"#),
        ("POST", settings, ["Content-Type": "canary/canary"], "canary"),
        ("POST", settings, ["Content-Type": "application/json", "Content-Encoding": "canary"], "canary"),
        ("POST", "/screens/settings/actions/rename", json, #"{"input":{"firstName":"canary"}}"#),
        ("POST", "/screens/settings/actions/canary", json, "{}"),
        ("POST", "/screens/settings/changes", [:], "canary"),
        ("POST", "/screens/settings/changes", [:], #"{"version":"canary"}"#),
        ("GET", "/screens/settings/changes?version=canary&canary=canary", [:], ""),
        ("GET", "/screens/posts?limit=canary&locale=canary&revision=canary&position=canary", [:], ""),
        ("GET", "/screens/mountains?q=canary", [:], ""),
        ("GET", "/screens/mountains?q=%zzcanary", [:], ""),
        ("GET", "/screens/mountains", ["Accept-Language": "canary", "Prefer": "wait=canary", "If-None-Match": "\"canary\""], ""),
        ("GET", "/screens/mountains", ["Accept": "canary/canary", "Accept-Encoding": "canary"], ""),
        ("GET", "/screens/mountains/changes", ["Last-Event-ID": "canary", "Relist-Position": "canary"], ""),
        ("GET", "/screens/canary?canary=canary", [:], ""), ("GET", "/canary/canary?canary", [:], ""), ("GET", "/%zzcanary", [:], ""),
        ("CANARY", "/screens/settings", [:], ""), ("GET", "/healthz?canary", ["traceparent": "canary", "Host": "canary.example"], ""),
        ("GET", "/healthz", ["X-Forwarded-For": "canary", "Forwarded": "for=canary", "Origin": "https://canary.example"], ""),
    ]

    /// Bytes that are not valid requests.
    private static let malformed = [
        "canary\r\n\r\n", "GET /canary HTTP/9.9\r\nHost: localhost\r\n\r\n", "GET /canary\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /canary HTTP/1.1\r\nHost: localhost\r\ncanary\r\n\r\n", "GET /canary HTTP/1.1\r\nHost: canary canary\r\n\r\n",
        "POST /canary HTTP/1.1\r\nHost: localhost\r\nContent-Length: canary\r\n\r\n",
        "POST /canary HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: canary\r\n\r\n",
        "POST /canary HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ncanary\r\n0\r\n\r\n",
        "GET /canary HTTP/1.1\r\nHost: localhost\r\nExpect: canary\r\n\r\n",
        "GET /\(String(repeating: "canary", count: 3000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nCanary: \(String(repeating: "canary", count: 3000))\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "Canary: canary\r\n", count: 100))\r\n",
        "GET /canary HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCanary:canary\rcanary\r\n\r\n",
    ]

    #if Tokens
    private static let authentications = ["demo", "development"]
    #else
    private static let authentications = ["demo"]
    #endif

    @Test(arguments: authentications, ["text", "json"])
    func noLogHasATokenAPasswordOrAnInput(_ authentication: String, _ format: String) async throws {
        let folder = try TemporaryFolder()
        let (program, address) = try await serve(
            folder, "--log-level", "trace", "--log-format", format, "--access-log", folder.path + "/access.log",
            "--authentication", authentication
        )
        for request in Self.requests {
            var headers = request.headers
            headers.append("Connection", "close")
            _ = try await RawClient(address).ask(request.method, request.target, headers, request.body)
        }
        for text in Self.malformed { _ = try? await RawClient(address, sending: text).rest() }
        await program.send(SIGINT)
        let end = await program.end()
        #expect(end.status == 0)
        let access = try String(contentsOfFile: folder.path + "/access.log", encoding: .utf8)
        // The libmicrohttpd library logs malformed requests at the level debug.
        #expect(end.output.contains("libmicrohttpd"))
        #expect(access.count { $0 == "\n" } > Self.requests.count)
        for (name, text) in [("log", end.output), ("access log", access)] {
            let lines = text.lowercased().split(separator: "\n").filter { $0.contains(Self.canary) }
            #expect(lines == [], "\(name)")
        }
    }

    @Test func standardOutputHasOnlyJSONIfBothLogsHave() async throws {
        let folder = try TemporaryFolder()
        let (program, address) = try await serve(folder, "--log-format", "json", "--access-log", "-")
        _ = try await RawClient(address).ask("GET", "/screens/settings", ["X-Request-Id": "order-66", "Connection": "close"])
        await program.send(SIGINT)
        defer { withExtendedLifetime(folder) {} }
        let lines = await program.end().output.split(separator: "\n")
        let documents = try lines.map { try JSONReader.read(Array($0.utf8)) }
        #expect(documents.contains { $0["requestId"] == .string("order-66") && $0["kind"] == .string("snapshot") })
    }

    /// Starts `relist serve` with both outputs in one, and returns the address in the greeting or in the first line of the log.
    private func serve(_ folder: TemporaryFolder, _ flags: String...) async throws -> (Program, BoundAddress) {
        let arguments = ["serve", "--port", "0", "--database", folder.database, "--drain-seconds", "0"] + flags
        let program = try Program.relist(arguments, redirections: "2>&1")
        let port = await program.read { text in
            text.firstMatch(of: #/(?:listens on http:\/\/|"address":")127\.0\.0\.1:(\d+)/#).flatMap { UInt16($0.1) }
        }
        return (program, BoundAddress(host: "127.0.0.1", port: try #require(port)))
    }
}
