import Glibc
import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import TemporaryDatabase
import TemporaryPostgres
import Testing

/// The servers over which clients are spread: each in a process of its own, all on one database.
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

    /// The field in which an answer says at which position what was done is there.
    static let positionField = "Relist-Position"

    let servers: [RunningServer]
    /// The URL of the database; nil for SQLite, whose commits have no positions.
    private let database: String?
    /// Reads tokens, so that a test can find the later of two positions, which no client can.
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
            // At once, so that all of them would make the tables.
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

    /// Asks one of them, over a connection of its own, for what is not from before a position.
    func get(_ target: String, from replica: Int = 0, at position: Position? = nil) async throws -> RawResponse {
        let seen: Headers = position.map { [Self.positionField: token(for: $0)] } ?? [:]
        let answer = try await RawClient(servers[replica].address).ask("GET", target, seen)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// The position at which what was asked for is there; nil where there are none.
    func position(in answer: RawResponse) -> Position? {
        answer.headers[Self.positionField].flatMap { tokens?.position(of: $0) }
    }

    func token(for position: Position) -> String {
        tokens?.token(for: position) ?? ""
    }

    /// Expects that no contract has more scheduled than was agreed on, whoever was asked.
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

    /// Stops all of them, and expects that they end well.
    func stop() async {
        for server in servers {
            let end = await server.stop(SIGTERM)
            #expect(end.status == 0)
            #expect(end.errors == "")
        }
    }
}
