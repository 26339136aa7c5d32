import Foundation
import Synchronization

/// A server of PostgreSQL in a folder of its own, for as long as the process runs at most.
public final class PostgresServer: Sendable {
    /// The one that tests share, each with a database of its own in it. It goes with the process.
    public static let shared: PostgresServer = {
        // Nothing has to outlive these tests.
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
    /// It stops when this is closed, be it by the end of the process.
    private let life = Pipe()
    private let process = Process()

    /// One for a test that alters it, which is to be removed.
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

    /// Stops it, and removes all that it has kept.
    public func remove() throws {
        try life.fileHandleForWriting.close()
        process.waitUntilExit()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The URL of a database.
    ///
    /// - Parameter others: those that may take writes in place of this one.
    public func url(_ database: String, or others: PostgresServer...) -> String {
        "postgres://relist@/\(database)?host=\(([self] + others).map(\.folder).joined(separator: ","))"
    }

    /// The path of its socket.
    var socket: String { "\(folder)/.s.PGSQL.5432" }

    /// Makes a new database, and gives its URL.
    ///
    /// - Parameter model: the URL of one whose content it has, to which nobody is connected; nil for an empty one.
    public func newDatabase(like model: String? = nil) throws -> String {
        let name = "test\(count.add(1, ordering: .relaxed).newValue)"
        let template = model.flatMap { $0.split(separator: "?").first?.split(separator: "/").last.map { " TEMPLATE \($0)" } } ?? ""
        try run("CREATE DATABASE \(name)\(template)", in: "postgres")
        return url(name)
    }

    /// Runs statements in a database as whoever may do anything, and gives what `psql` prints.
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
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else {
            throw DidNotStart(message: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }
        return said.trimmingCharacters(in: .newlines)
    }
}
