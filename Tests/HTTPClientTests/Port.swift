import Synchronization

/// The port of a server, for responses that are defined before the server listens.
final class Port: Sendable {
    private let known = Mutex<UInt16>(0)

    var number: UInt16 {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
