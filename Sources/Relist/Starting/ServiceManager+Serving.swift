import HTTPServer
import Logging

extension ServiceManager {
    /// Reports that the server accepts requests. Returns a task that reports that the server still works, until the task is cancelled.
    func reportServing(_ server: HTTPServer, on address: BoundAddress, _ logger: Logger) -> Task<Void, Never> {
        if socket != nil {
            logger.notice("serving the socket \(address) that the service manager has passed; --host and --port are not used")
        }
        if !notify("READY=1", "STATUS=Serving on http://\(address)") {
            logger.warning("the service manager could not be notified that the server is ready")
        }
        return Task { await feedWatchdog(of: server) }
    }

    /// Sends a notification at half of the watchdog's interval, each after a round trip through all event loops. The task itself needs a
    /// thread of the pool that computes responses. So if a loop or the pool hangs, the notifications end.
    private func feedWatchdog(of server: HTTPServer) async {
        guard let watchdogInterval else { return }
        while !Task.isCancelled {
            await server.roundTrip()
            notify("WATCHDOG=1")
            try? await Task.sleep(for: watchdogInterval / 2)
        }
    }
}
