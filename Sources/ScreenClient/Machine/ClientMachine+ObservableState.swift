extension ClientMachine {
    package enum Content: Hashable, Sendable {
        case none
        case stored(version: String)
        case current(version: String)
    }

    package enum Connection: Hashable, Sendable {
        case idle
        case requesting
        case streaming
        case polling
        /// The client waits for its next attempt, which begins at this time at the latest.
        case waiting(until: Duration)
        case failed(Failure)
        case paused
    }

    package var content: Content {
        guard let held else { return .none }
        return isStored ? .stored(version: held) : .current(version: held)
    }

    package var connection: Connection {
        switch line {
        case .request(_, .poll, _): .polling
        case .request, .renewal: .requesting
        case .stream(_, let progress): progress.hasEvents ? .streaming : .requesting
        case .pause(_, let until): .waiting(until: until)
        case .none:
            if let failure { .failed(failure) } else { mode == .paused ? .paused : .idle }
        }
    }

    /// The part of the state that the app can observe.
    struct ObservableState: Equatable {
        let content: Content
        let connection: Connection
        let isStale: Bool
        let isReachable: Bool
    }

    var observableState: ObservableState {
        ObservableState(content: content, connection: connection, isStale: isStale, isReachable: isReachable)
    }
}
