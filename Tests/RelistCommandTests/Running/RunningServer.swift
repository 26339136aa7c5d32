import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

/// A server that runs in another process and has printed its greeting.
struct RunningServer {
    let program: Program
    let address: BoundAddress
    /// The command lines that the greeting contains.
    let examples: [String]
    /// The folder that contains the database. It is deleted when this object is freed.
    private let folder: TemporaryFolder

    /// Starts `relist serve` on a free port, and waits for its greeting.
    ///
    /// - Parameters:
    ///   - database: the URL of a PostgreSQL database; nil for an SQLite file in the folder.
    ///   - drainSeconds: the number of seconds for which the server keeps serving after SIGTERM.
    ///   - openFiles: the limit of open files; nil for the limit of the tests.
    init(
        in folder: TemporaryFolder, database: String? = nil, drainSeconds: Int = 0, openFiles: Int? = nil, flags: [String]
    ) async throws {
        self.folder = folder
        let drain = ["--drain-seconds", String(drainSeconds)]
        program = try Program.relist(
            ["serve", "--port", "0", "--database", database ?? folder.database] + drain + flags, openFiles: openFiles
        )
        let greeting = await program.read(until: Greeting.init)
        guard let greeting else {
            throw NoGreeting(errors: await program.end().errors)
        }
        (address, examples) = (greeting.address, greeting.examples)
    }

    init(
        in folder: TemporaryFolder, database: String? = nil, drainSeconds: Int = 0, openFiles: Int? = nil, _ flags: String...
    ) async throws {
        try await self.init(in: folder, database: database, drainSeconds: drainSeconds, openFiles: openFiles, flags: flags)
    }

    struct NoGreeting: Error {
        let errors: String
    }

    func get(_ target: String) async throws -> JSONValue {
        try JSONReader.read(try await ask("GET", target).body)
    }

    func changes(_ target: String, since version: String) async throws -> JSONValue {
        try JSONReader.read(try await ask("POST", target, #"{"version":"\#(version)"}"#).body)
    }

    /// Sends a request on a new connection, and returns the response.
    func ask(_ method: String, _ target: String, _ body: String = "") async throws -> RawResponse {
        try await RawClient(address).ask(method, target, ["Connection": "close"], body)
    }

    /// Requests the metrics until the given metric has the given value. The maximum number of attempts is large enough for slow machines.
    func until(_ metric: String, is value: Int) async throws {
        for _ in 0..<50_000 {
            let metrics = try await ask("GET", "/metrics").text
            if metrics.contains("\nrelist_\(metric) \(value)\n") { return }
        }
        Issue.record("\(metric) does not become \(value)")
    }

    func stop(_ signal: Int32) async -> Program.End {
        await program.send(signal)
        return await program.end()
    }
}

/// The greeting that a server prints when it starts.
struct Greeting: Sendable {
    let address: BoundAddress
    let examples: [String]

    /// Parses a greeting. Returns nil if the text is not complete yet.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        examples = lines.filter { $0.hasPrefix("  curl ") }.map { String($0.dropFirst(2)) }
        guard !examples.isEmpty, text.hasSuffix("\n\n"), let match = text.firstMatch(of: #/listens on http://([\d.]+):(\d+)\. /#) else {
            return nil
        }
        guard let port = UInt16(match.2) else { return nil }
        address = BoundAddress(host: String(match.1), port: port)
    }
}

extension RawClient {
    func ask(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") async throws -> RawResponse {
        try await ask(Request(method: method, target: target, headers: headers), body: Array(body.utf8))
    }

    /// Sends a request without a body, and does not wait for the response. The response can be read later with ``response(hasBody:)``.
    func begin(_ method: String, _ target: String, _ headers: Headers = [:]) async throws {
        try await send(Request(method: method, target: target, headers: headers))
    }
}
