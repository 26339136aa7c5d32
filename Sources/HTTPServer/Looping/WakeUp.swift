import CMicroHTTPD
import Glibc

/// Interrupts an event loop's wait, from any thread.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(HTTPServer.StartError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        eventfd_write(descriptor, 1)
    }
}
