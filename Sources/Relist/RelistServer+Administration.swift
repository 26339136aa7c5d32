import CoreMetrics
import Foundation
import HTTPServer
import Logging
import ScreenHTTP

/// The port on which `/metrics` is served.
enum MetricsPort: String, CaseIterable, Sendable {
    case `public`, admin
}

extension Setting<MetricsPort?> {
    static var metrics: Self {
        let words = MetricsPort.allCases.map(\.rawValue).joined(separator: ", ")
        return .optional(
            "metrics", default: "public if every caller is trusted and there is no admin port, else admin", "must be one of \(words)"
        ) { MetricsPort(rawValue: $0) }
    }
}

extension ServerConfiguration {
    /// A Boolean value that indicates whether `/metrics` is served on the port for clients.
    ///
    /// Without a flag, it is served there for a developer: with demo and development authentication, any client can act as any user anyway.
    /// The address says nothing about who reaches the server, because a server behind a proxy also listens on a loopback address.
    var hasPublicMetrics: Bool {
        if let port = self.metricsPort { return port == .public }
        return self.adminPort == nil && authentication?.needsCredentials != true
    }
}

/// An error that reports that the server cannot listen on its port for operators.
struct AdminPortFault: Error {
    let cause: HTTPServer.StartError
}

extension RelistServer {
    /// The maximum number of connections of the port for operators. They are in the reserve of descriptors of the other port.
    private static let adminConnectionLimit = 32

    /// Starts the server for operators. Returns `nil` if no port is configured. The server has its own event loop, so it responds while
    /// clients flood the other port.
    func startAdministration(
        of api: ScreenAPI, _ configuration: ServerConfiguration, _ logger: Logger
    ) throws(AdminPortFault) -> (server: HTTPServer, address: BoundAddress)? {
        guard let port = configuration.adminPort else { return nil }
        var http = HTTPServer.Configuration()
        http.host = configuration.adminHost
        http.port = UInt16(port)
        http.loops = 1
        http.connectionLimit = Self.adminConnectionLimit
        // A web page in the browser of an operator must not read the metrics under a name that resolves to this machine.
        let isLocal = ServerConfiguration.isLoopback(configuration.adminHost)
        let layers: [any Middleware] = isLocal ? [AllowedHosts(configuration.hostNames)] : []
        let server = HTTPServer(configuration: http, logger: logger, handler: api.administration(middleware: layers).reply)
        do throws(HTTPServer.StartError) { return (server, try server.start()) } catch { throw AdminPortFault(cause: error) }
    }

    /// The time between two times at which the numbers that are read are sent to the backend of the team.
    private static let forwardingInterval = Duration.seconds(10)

    /// Sends the numbers that are read on request to the backend of the team, until the task is cancelled.
    func forwardMetrics(of registry: MetricsRegistry) async {
        guard let metrics else { return }
        var forwarded = ForwardedMetrics(of: registry, to: metrics)
        while !Task.isCancelled {
            forwarded.send()
            try? await Task.sleep(for: Self.forwardingInterval)
        }
    }
}

/// The labels of `relist_build_info`.
enum Build {
    /// The version of Relist. `CHANGELOG.md` says what each version changes.
    private static let version = "unreleased"

    #if compiler(>=6.4)
    private static let swift = "6.4"
    #elseif compiler(>=6.3)
    private static let swift = "6.3"
    #else
    private static let swift = "6.2"
    #endif

    /// The variable `RELIST_COMMIT` names the commit that an image was built from.
    static var labels: [(String, String)] {
        [("version", version), ("swift", swift), ("commit", ProcessInfo.processInfo.environment["RELIST_COMMIT"] ?? "")]
    }
}
