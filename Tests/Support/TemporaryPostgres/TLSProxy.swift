import Foundation

/// A proxy through which clients use a server's databases over TLS. It has a self-signed certificate, and sends TLS records of up to 16 KB.
public final class TLSProxy: Sendable {
    private let folder: URL
    private let port: Int
    /// A pipe to the proxy's process. The proxy stops when the pipe is closed, so it also stops when the process of the tests ends.
    private let life = Pipe()
    private let process = Process()

    /// - Parameter server: the server to which the proxy forwards connections.
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

    /// Returns the URL of a database for connections through the proxy.
    ///
    /// - Parameter url: the URL of the same database for connections without the proxy.
    public func url(like url: String) -> String {
        let name = url.split(separator: "?").first?.split(separator: "/").last ?? ""
        return "postgres://relist@127.0.0.1:\(port)/\(name)?sslmode=require"
    }

    /// Stops the proxy, and removes its folder.
    public func remove() throws {
        try life.fileHandleForWriting.close()
        process.waitUntilExit()
        try FileManager.default.removeItem(at: folder)
    }
}
