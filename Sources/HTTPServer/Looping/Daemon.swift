import CMicroHTTPD
import Glibc

/// Owns a daemon of the library that runs when it is told to, on no thread of its own.
struct Daemon {
    let pointer: OpaquePointer
    private let options: UnsafeMutablePointer<httpd_options>

    init(_ options: httpd_options) throws(HTTPServer.StartError) {
        let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        self.options = .allocate(capacity: 1)
        self.options.initialize(to: options)
        guard let pointer = httpd_start(flags, self.options) else {
            self.options.deallocate()
            throw .outOfResources(code: errno)
        }
        self.pointer = pointer
    }

    /// Becomes readable when there is something to do.
    var descriptor: Int32 { httpd_epoll_descriptor(pointer) }

    /// How long one may wait before `run()` is due, whatever the descriptor says.
    var timeout: Duration? {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(pointer, &milliseconds) == .YES ? .milliseconds(Int64(clamping: milliseconds)) : nil
    }

    func run() {
        MHD_run(pointer)
    }

    /// Stops accepting and lets go of the listening socket, which stays open.
    func stopAccepting() {
        MHD_quiesce_daemon(pointer)
    }

    /// Frees it. It aborts the process if a connection is suspended.
    func stop() {
        MHD_stop_daemon(pointer)
        options.deallocate()
    }
}
