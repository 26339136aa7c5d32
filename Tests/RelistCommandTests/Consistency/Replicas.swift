import Glibc
import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import TemporaryDatabase
import TemporaryPostgres
import Testing

/// Servers that share one database. Each server is a process.
struct Replicas: Sendable {
    enum Engine: CaseIterable, CustomTestStringConvertible {
        case sqlite, postgres

        var testDescription: String {
            switch self {
            case .sqlite: "one process on SQLite"
            case .postgres: "three processes on PostgreSQL"
            }
        }
    }

    /// The name of the response field that contains the position of an action's commit.
    static let positionField = "Relist-Position"

    let servers: [RunningServer]
    /// The URL of the database; nil for SQLite, because its commits have no positions.
    private let database: String?
    /// The codec that decodes position tokens. Clients cannot decode them, but tests must compare positions.
    private let tokens: PositionTokens?

    init(on engine: Engine) async throws {
        switch engine {
        case .sqlite:
            database = nil
            tokens = nil
            servers = [try await RunningServer(in: TemporaryFolder())]
        case .postgres:
            let url = try PostgresServer.shared.newDatabase()
            database = url
            // All servers are started at the same time, so that they compete to create the tables.
            servers = try await withThrowingTaskGroup(of: RunningServer.self) { group in
                for _ in 0..<3 { group.addTask { try await RunningServer(in: TemporaryFolder(), database: url) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let stored = "SELECT encode(bytes, 'hex') FROM relist.secret WHERE byte_count = \(PositionTokens.secretByteCount)"
            let digits = Array(try PostgresServer.shared.run(stored, in: url))
            tokens = PositionTokens(secret: stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! })
        }
    }

    var hasPositions: Bool { database != nil }

    /// Sends a GET request on a new connection. If a position is given, the request states the position, and the response must include the
    /// commit at this position.
    func get(_ target: String, from replica: Int = 0, at position: Position? = nil) async throws -> RawResponse {
        let seen: Headers = position.map { [Self.positionField: token(for: $0)] } ?? [:]
        let answer = try await RawClient(servers[replica].address).ask("GET", target, seen)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// Returns the position that a response states, or nil if it states none.
    func position(in answer: RawResponse) -> Position? {
        answer.headers[Self.positionField].flatMap { tokens?.position(of: $0) }
    }

    func token(for position: Position) -> String {
        tokens?.token(for: position) ?? ""
    }

    /// Expects that the deliveries of each contract do not exceed the contracted weight.
    func expectNothingOverbooked() throws {
        guard let database else { return }
        let overbooked = try PostgresServer.shared.run(
            """
            SELECT number FROM example.contract JOIN example.delivery ON contract = number
            GROUP BY number, contracted_kilograms HAVING sum(scheduled_kilograms) > contracted_kilograms
            """, in: database
        )
        #expect(overbooked == "")
    }

    /// Stops all servers, and expects that each of them ends cleanly.
    func stop() async {
        for server in servers {
            let end = await server.stop(SIGTERM)
            #expect(end.status == 0)
            #expect(end.errors == "")
        }
    }
}
