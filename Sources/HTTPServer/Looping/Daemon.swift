import CMicroHTTPD
import Glibc
import Logging
import Synchronization

/// A daemon of libmicrohttpd. It has no thread of its own, and works only while `run(waiting:)` is called.
struct Daemon {
    let pointer: OpaquePointer
    private let options: UnsafeMutablePointer<httpd_options>

    /// Starts a daemon. Each event on the descriptor `wakeUp` ends one wait. While `disconnectMonitor` is readable, each wait ends at
    /// once.
    init(_ options: httpd_options, wakeUp: Int32, disconnectMonitor: Int32) throws(HTTPServer.StartError) {
        let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        self.options = .allocate(capacity: 1)
        self.options.initialize(to: options)
        guard let pointer = httpd_start(flags, self.options) else {
            self.options.deallocate()
            throw .outOfResources(code: errno)
        }
        self.pointer = pointer
        guard httpd_watch(pointer, wakeUp, false) == 0, httpd_watch(pointer, disconnectMonitor, true) == 0 else {
            let code = errno
            stop()
            throw .outOfResources(code: code)
        }
    }

    /// Waits for events and handles them. If `milliseconds` is -1, the wait has no limit.
    func run(waiting milliseconds: Int32) {
        MHD_run_wait(pointer, milliseconds)
    }

    /// Stops accepting connections. The listening socket stays open, but this daemon no longer uses it.
    func stopAccepting() {
        MHD_quiesce_daemon(pointer)
    }

    /// Frees the daemon. No connection may be suspended, because libmicrohttpd would abort the process.
    func stop() {
        MHD_stop_daemon(pointer)
        options.deallocate()
    }
}

/// The handler that ends the process when libmicrohttpd finds its own state invalid. It applies to all daemons of the process.
enum LibraryPanic {
    /// The logger of the server that was started last.
    private static let logger = Mutex(Logger(label: "HTTPServer"))

    static func install(_ logger: Logger) {
        Self.logger.withLock { $0 = logger }
        MHD_set_panic_func(
            { _, file, line, reason in
                let place = file.map { String(cString: $0) } ?? "?"
                let cause = reason.map { String(cString: $0) } ?? "no reason given"
                LibraryPanic.logger.withLock { $0 }.critical("libmicrohttpd panicked: \(cause) (\(place):\(line))")
                abort()
            }, nil)
    }
}
