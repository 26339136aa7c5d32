import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

/// A server in a process of its own, from its greeting on.
struct RunningServer {
    let program: Program
    let address: BoundAddress
    /// The lines of the greeting to try at a shell.
    let examples: [String]
    /// Is kept because the database lies there.
    private let folder: TemporaryFolder

    /// Starts `relist serve` on a free port and waits until it says where it listens.
    ///
    /// - Parameters:
    ///   - database: the URL of one of PostgreSQL's; nil for one of SQLite's in the folder.
    ///   - drainSeconds: how long it answers everything after SIGTERM.
    ///   - openFiles: how many files it may have open; as many as the tests if nil.
    init(
        in folder: TemporaryFolder, database: String? = nil, drainSeconds: Int = 0, openFiles: Int? = nil, _ flags: String...
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

    struct NoGreeting: Error {
        let errors: String
    }

    func get(_ target: String) async throws -> JSONValue {
        try JSONReader.read(try await ask("GET", target).body)
    }

    func changes(_ target: String, since version: String) async throws -> JSONValue {
        try JSONReader.read(try await ask("POST", target, #"{"version":"\#(version)"}"#).body)
    }

    /// Asks over a connection of its own.
    func ask(_ method: String, _ target: String, _ body: String = "") async throws -> RawResponse {
        try await RawClient(address).ask(method, target, ["Connection": "close"], body)
    }

    /// Asks for the metrics until one has a value.
    ///
    /// So often at most that a machine, however slow, should be done by then.
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

/// What a server says when it listens.
struct Greeting: Sendable {
    let address: BoundAddress
    let examples: [String]

    /// Nil for a text that is not complete yet.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        examples = lines.filter { $0.hasPrefix("  curl ") }.map { String($0.dropFirst(2)) }
        guard !examples.isEmpty, text.hasSuffix("\n\n"), let match = text.firstMatch(of: #/listens on http://([\d.]+):(\d+)\. /#) else { return nil }
        guard let port = UInt16(match.2) else { return nil }
        address = BoundAddress(host: String(match.1), port: port)
    }
}

extension RawClient {
    func ask(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") async throws -> RawResponse {
        try await ask(Request(method: method, target: target, headers: headers), body: Array(body.utf8))
    }

    /// Sends a request without a body; ``response(hasBody:)`` reads what comes of it.
    func begin(_ method: String, _ target: String, _ headers: Headers = [:]) async throws {
        try await send(Request(method: method, target: target, headers: headers))
    }
}
