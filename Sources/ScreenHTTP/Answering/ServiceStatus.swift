import HTTPServer
import ScreenService
import Synchronization

/// The handlers of `/healthz`, `/readyz` and `/metrics`.
final class ServiceStatus: Sendable {
    private let service: ScreenService
    private let registry: MetricsRegistry
    private let authentication: (any Authenticating)?
    private let isDataReady: @Sendable () async -> Bool
    private let isDraining = Atomic(false)
    /// The number of data checks that are still running after their deadline.
    private let hangingCount = Atomic(0)

    init(
        of service: ScreenService, _ registry: MetricsRegistry, authentication: (any Authenticating)?,
        isDataReady: @escaping @Sendable () async -> Bool
    ) {
        self.service = service
        self.registry = registry
        self.authentication = authentication
        self.isDataReady = isDataReady
    }

    func withdraw() {
        isDraining.store(true, ordering: .relaxed)
    }

    var health: Reply { .response(Self.response("ok", 200)) }

    var readiness: Reply {
        .waiting { .response(await self.isReady()) }
    }

    /// The metrics. They are written on the event loop, so that they can be requested while all threads of tasks are blocked.
    var metrics: Reply {
        let headers: Headers = ["Content-Type": PrometheusText.mediaType, "Cache-Control": "no-store"]
        return .response(Response(headers: headers, body: Array(PrometheusText(of: registry).text.utf8)))
    }

    private func isReady() async -> Response {
        if isDraining.load(ordering: .relaxed) { return Self.response("draining", 503) }
        guard await isDataReachable() else { return Self.response("the data is out of reach", 503) }
        switch authentication?.condition {
        case nil, .sound: return Self.response("ready", 200)
        case .impaired(let reason): return Self.response("ready, but \(reason)", 200)
        case .unable(let reason): return Self.response(reason, 503)
        }
    }

    /// Returns a Boolean value that indicates whether the data can be read now. While a check hangs, no second check is made.
    private func isDataReachable() async -> Bool {
        guard hangingCount.load(ordering: .relaxed) == 0 else { return false }
        let isReady = try? await service.deadline.value(of: isDataReady) { [self] check in
            hangingCount.add(1, ordering: .relaxed)
            Task {
                await check.value
                hangingCount.subtract(1, ordering: .relaxed)
            }
            return DeadlineFault.notComputed
        }
        return isReady ?? false
    }

    private static func response(_ text: String, _ status: Int) -> Response {
        let headers: Headers = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        return Response(status: status, headers: headers, body: Array("\(text)\n".utf8))
    }
}
