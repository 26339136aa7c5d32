import Synchronization

/// The port of a server. A test sets the port when the server listens. A response that was defined earlier reads the port when the response
/// is sent.
final class Port: Sendable {
    private let known = Mutex<UInt16>(0)

    var number: UInt16 {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
