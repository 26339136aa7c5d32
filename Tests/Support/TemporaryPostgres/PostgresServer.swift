import Foundation
import Synchronization

/// A PostgreSQL server in a temporary folder. It stops when ``remove()`` is called or when the process of the tests ends.
public final class PostgresServer: Sendable {
    /// The server that tests share. Each test uses a new database. The server stops when the process of the tests ends.
    public static let shared: PostgresServer = {
        // Commits of tests need not survive a crash.
        let server = try! PostgresServer("synchronous_commit=off")
        atexit { try? PostgresServer.shared.remove() }
        return server
    }()
    private static let serverCount = Atomic(0)

    public struct DidNotStart: Error {
        public let message: String
    }

    private let folder: String
    private let count = Atomic(0)
    /// A pipe to the script that runs the server. The script stops when the pipe is closed, so it also stops when the process of the tests
    /// ends.
    private let life = Pipe()
    private let process = Process()

    /// Starts a server for a test that changes the server. The test must call ``remove()``.
    public init(_ settings: String...) throws {
        let name = "relist-postgres-\(getpid())-\(Self.serverCount.add(1, ordering: .relaxed).newValue)"
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(name).path
        process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server")
        let all = ["listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=200"] + settings
        process.arguments = [folder] + all.flatMap { ["-c", $0] }
        process.standardInput = life
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard String(decoding: line, as: UTF8.self).hasPrefix("ready") else {
            throw DidNotStart(message: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
        }
    }

    /// Stops the server, and removes its folder.
    public func remove() throws {
        try life.fileHandleForWriting.close()
        process.waitUntilExit()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Returns the URL of a database.
    ///
    /// - Parameter others: servers whose hosts are also in the URL.
    public func url(_ database: String, or others: PostgresServer...) -> String {
        "postgres://relist@/\(database)?host=\(([self] + others).map(\.folder).joined(separator: ","))"
    }

    /// The path of the server's socket.
    var socket: String { "\(folder)/.s.PGSQL.5432" }

    /// Creates a database, and returns its URL.
    ///
    /// - Parameter model: the URL of a database to copy, which must have no connections; `nil` for an empty database.
    public func newDatabase(like model: String? = nil) throws -> String {
        let name = "test\(count.add(1, ordering: .relaxed).newValue)"
        let template = model.flatMap { $0.split(separator: "?").first?.split(separator: "/").last.map { " TEMPLATE \($0)" } } ?? ""
        try run("CREATE DATABASE \(name)\(template)", in: "postgres")
        return url(name)
    }

    /// Runs statements in a database as its superuser, and returns the output of `psql`.
    @discardableResult
    public func run(_ sql: String, in database: String) throws -> String {
        let psql = Process()
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
        let address = database.contains("://") ? database : url(database)
        psql.arguments = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--command", sql, address]
        let (output, errors) = (Pipe(), Pipe())
        psql.standardOutput = output
        psql.standardError = errors
        try psql.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else {
            throw DidNotStart(message: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }
        return text.trimmingCharacters(in: .newlines)
    }
}
