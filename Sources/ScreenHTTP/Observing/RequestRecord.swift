import HTTPServer
import ScreenService
import Synchronization

/// A function that receives each request whose response has ended. It is called on a thread that serves many connections, so it must not
/// block.
public typealias RequestObserver = @Sendable (ObservedRequest) -> Void

/// The record of the current request of a connection. At the end of each request, it records the metrics and calls the observers.
///
/// A lock protects the state, because a layer that comes before the handler may do slow work in a task, in which the handler is then called.
final class RequestRecord: RequestRecording {
    /// The properties that only observers use.
    private struct Facts: Sendable {
        let method: String
        /// The screen in the path, which need not exist.
        let screen: String
        var caller: LimitKey
    }

    private struct State {
        var route: RouteEntry?
        var trace: RequestTrace?
        /// The properties for the observers; nil if there are no observers.
        var facts: Facts?
        var used: RequestMetrics.Used?
    }

    private let metrics: RequestMetrics
    private let observers: [RequestObserver]
    private let catalog: ScreenCatalog
    private let state = Mutex(State())

    init(_ metrics: RequestMetrics, _ observers: [RequestObserver], catalog: ScreenCatalog) {
        (self.metrics, self.observers, self.catalog) = (metrics, observers, catalog)
    }

    /// The trace of the current request.
    var trace: RequestTrace? { state.withLock { $0.trace } }

    func begin(_ request: borrowing Request, _ route: RequestRoute?, _ trace: RequestTrace) {
        let entry = route?.route
        if observers.isEmpty { return state.withLock { ($0.route, $0.trace) = (entry, trace) } }
        let facts = Facts(method: request.method, screen: route?.path.screen ?? "", caller: LimitKey(of: request.peer))
        state.withLock { ($0.route, $0.trace, $0.facts) = (entry, trace, facts) }
    }

    /// Stores the caller of a request, when all layers have been passed or one of them rejects the request.
    func noteCaller(of context: borrowing RequestContext) {
        if observers.isEmpty { return }
        let caller = context.limitKey
        state.withLock { $0.facts?.caller = caller }
    }

    func ended(_ response: EndedResponse) {
        let note = response.note as? ResponseNote
        let (kind, snapshotBytes) = (note?.kind ?? .other, note?.snapshotBytes)
        let (route, trace, facts) = state.withLock { state in
            let (route, trace) = (state.route.take(), state.trace.take())
            metrics.record(response, kind, of: route?.template, snapshotBytes: snapshotBytes, with: &state.used)
            return (route, trace, state.facts.take())
        }
        guard let trace, let facts else { return }
        let request = ObservedRequest(
            method: Self.known(facts.method), route: route?.template, screen: screen(in: facts, answeredBy: kind),
            caller: facts.caller, trace: trace, status: response.status, isComplete: response.isComplete,
            bodyBytes: response.bodyBytes, duration: response.duration, kind: kind, snapshotBytes: snapshotBytes
        )
        for observer in observers { observer(request) }
    }

    private func screen(in facts: Facts, answeredBy kind: ResponseKind) -> String? {
        guard !facts.screen.isEmpty else { return nil }
        return kind.provesScreen || catalog.hasScreen(named: facts.screen) ? facts.screen : nil
    }

    /// Returns the method, or `other` if a client has invented it.
    private static func known(_ method: String) -> String {
        switch method {
        case "GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE": method
        default: "other"
        }
    }
}

extension LimitKey {
    /// Creates the key of an address; the key of an unknown caller if there is none.
    init(of address: NetworkAddress?) {
        self = address.map(\.block).map { .address(high: $0.high, low: $0.low) } ?? .unknown
    }
}
