#if canImport(Network)
import Dispatch
import Network

/// Calls a function each time that the device changes to a different network.
final class NetworkMonitor: Sendable {
    private let monitor = NWPathMonitor()
    /// The last network path that the monitor reported. Only the queue of the monitor uses it.
    private nonisolated(unsafe) var last: NWPath?

    init(_ changed: @escaping @Sendable () -> Void) {
        monitor.pathUpdateHandler = { [weak self] path in
            guard let self else { return }
            // The first report states the present network, so it is not a change. A path without a network is no reason to connect.
            let isOther = last != nil && last != path
            last = path
            if isOther, path.status == .satisfied { changed() }
        }
        monitor.start(queue: DispatchQueue(label: "Relist network monitor"))
    }

    deinit { monitor.cancel() }
}
#endif
