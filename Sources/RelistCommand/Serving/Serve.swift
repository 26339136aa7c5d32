import ArgumentParser
import Foundation
import Glibc
import HTTPServer

/// `relist serve`: the server, until it is told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the example screens from an SQLite file.",
        discussion: "Each option can also be set in the environment: --log-level as RELIST_LOG_LEVEL, and so on."
    )

    // All are texts: they are checked together, with those of the environment.
    @Option(help: "The address to listen on (default: \(Setting.host.defaultText)).")
    var host: String?
    @Option(help: "The port to listen on; 0 takes a free one (default: \(Setting.port.defaultText)).")
    var port: String?
    @Option(help: "The SQLite file; it is made if it is not there (default: \(Setting.database.defaultText)).")
    var database: String?
    @Option(name: .customLong("public"), help: "The folder of files to serve (default: \(Setting.publicFolder.defaultText)).")
    var publicFolder: String?
    @Option(help: "trace, debug, info, notice, warning, error or critical (default: \(Setting.logLevel.defaultText)).")
    var logLevel: String?
    @Option(help: "Days to remember a version that nobody uses (default: \(Setting.historyDays.defaultText)).")
    var historyDays: String?
    @Option(help: "Bytes of all versions in the database (default: \(Setting.historyBytes.defaultText)).")
    var historyBytes: String?
    @Option(help: "Bytes of the versions in memory (default: \(Setting.historyMemoryBytes.defaultText)).")
    var historyMemoryBytes: String?
    @Option(help: "Bytes of all cached views together (default: \(Setting.viewCacheBytes.defaultText)).")
    var viewCacheBytes: String?
    @Option(help: "The URL whose /posts the posts are fetched from, as JSONPlaceholder has it (default: the database).")
    var postsUpstream: String?
    @Option(help: "Seconds for computing a screen, and for an action (default: \(Setting.deadlineSeconds.defaultText)).")
    var deadlineSeconds: String?
    @Option(help: "Seconds after SIGTERM to answer all while not ready (default: \(Setting.drainSeconds.defaultText)).")
    var drainSeconds: String?
    @Option(help: "Seconds after that for answers under way (default: \(Setting.graceSeconds.defaultText)).")
    var graceSeconds: String?

    func run() async throws {
        let given: [Setting: String?] = [
            .host: host, .port: port, .database: database, .publicFolder: publicFolder, .logLevel: logLevel,
            .historyDays: historyDays, .historyBytes: historyBytes, .historyMemoryBytes: historyMemoryBytes,
            .viewCacheBytes: viewCacheBytes, .postsUpstream: postsUpstream, .deadlineSeconds: deadlineSeconds,
            .drainSeconds: drainSeconds, .graceSeconds: graceSeconds,
        ]
        do {
            let configuration = try ServeConfiguration(
                flags: given.compactMapValues { $0 }, environment: ProcessInfo.processInfo.environment
            )
            try await Server.run(configuration)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("relist: \(StartFault(error))\n".utf8))
            throw ExitCode(1)
        }
    }
}

/// Why the server does not start and what to do, for whoever starts it.
struct StartFault: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case HTTPServer.StartError.hostNotFound(let host, _):
                "The host \(host) is not known. Give an address of this machine with --host."
            case HTTPServer.StartError.cannotListen(let host, let port, let code):
                "Cannot listen on \(host), port \(port): \(String(cString: strerror(code))). "
                    + "Stop what listens there, or give another --port; 0 takes a free one."
            case HTTPServer.StartError.noConnections:
                "The limit of open files leaves none for connections. Raise it to 1024 or more: with ulimit -n, with "
                    + "LimitNOFILE= of systemd or --ulimit nofile= of Docker."
            default: "\(error)"
            }
    }
}
