import Foundation

/// A server's databases over TLS, in records of up to 16 KB, with a certificate of its own.
public final class TLSProxy: Sendable {
    private let folder: URL
    private let port: Int
    /// The proxy stops when this is closed, also by the end of the process.
    private let life = Pipe()
    private let process = Process()

    /// - Parameter server: the one to which it passes on what it is sent.
    public init(to server: PostgresServer) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-tls-\(getpid())-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tls-proxy")
        process.arguments = [folder.path, server.socket]
        process.standardInput = life
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else {
            throw PostgresServer.DidNotStart(message: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
        }
        self.port = port
    }

    /// The URL of a database of the server, over TLS.
    ///
    /// - Parameter url: one of the server's own.
    public func url(like url: String) -> String {
        let name = url.split(separator: "?").first?.split(separator: "/").last ?? ""
        return "postgres://relist@127.0.0.1:\(port)/\(name)?sslmode=require"
    }

    /// Stops it.
    public func remove() throws {
        try life.fileHandleForWriting.close()
        process.waitUntilExit()
        try FileManager.default.removeItem(at: folder)
    }
}
