import Foundation
import Testing

@testable import Phone

/// A running `relist serve` with its database in a temporary folder. The environment variable `RELIST` is the path of the program.
@MainActor
final class RealServer {
    nonisolated static let program = ProcessInfo.processInfo.environment["RELIST"]

    let folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
    let database: String
    private var processID: pid_t?
    private var port = 0

    init() throws {
        database = folder.appending(path: "relist.sqlite").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try start()
    }

    deinit {
        if let processID { kill(processID, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    /// Starts the server and waits until it accepts connections. Each start uses the same port and database.
    func start() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.program!)
        process.arguments = ["serve", "--port", String(port), "--database", database, "--authentication", "development"]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RELIST") }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        processID = process.processIdentifier
        var text = ""
        while !text.hasSuffix("\n\n") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw NotStarted(output: text) }
            text += String(decoding: bytes, as: UTF8.self)
        }
        guard let address = text.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/), let port = Int(address.1) else {
            throw NotStarted(output: text)
        }
        self.port = port
    }

    /// Kills the process of the server.
    func end() {
        guard let processID else { return }
        self.processID = nil
        kill(processID, SIGKILL)
        while kill(processID, 0) == 0 { usleep(1000) }
    }

    /// Changes the key that signs tokens. After the next start, the server rejects all earlier tokens.
    func changeKey() throws {
        try FileManager.default.removeItem(atPath: database + ".development-key")
    }

    /// Returns a token of the user `ada`. The server with this database accepts the token.
    nonisolated static func token(database: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program!)
        process.arguments = ["token", "--user", "ada", "--database", database]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    struct NotStarted: Error {
        let output: String
    }
}
