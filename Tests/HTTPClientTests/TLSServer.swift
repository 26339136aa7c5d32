import Foundation
import Glibc

/// An OpenSSL process that runs a TLS server with a self-signed certificate.
final class TLSServer: Sendable {
    let port: Int
    private let process: Process
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.appending(path: "key").path, folder.appending(path: "certificate").path)
        let making = try Self.start([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
        ])
        making.process.waitUntilExit()
        let (process, output) = try Self.start(["s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate])
        self.process = process
        // When OpenSSL begins to listen, it prints a line such as "ACCEPT 127.0.0.1:40000".
        var said = ""
        while !said.contains(#/ACCEPT .*:\d+\n/#), case let data = output.availableData, !data.isEmpty {
            said += String(decoding: data, as: UTF8.self)
        }
        port = said.firstMatch(of: #/ACCEPT .*:(\d+)\n/#).flatMap { Int($0.1) } ?? 0
    }

    func stop() {
        // Only `SIGKILL` is certain to end the process, because it cannot be blocked. The threads that run tasks block other signals, and a
        // new process inherits the blocked signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }
}
