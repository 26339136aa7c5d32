import CMicroHTTPD
import Glibc
import Logging

/// A daemon of the library that runs when it is told to, on no thread of its own.
struct Daemon {
    let pointer: OpaquePointer
    private let options: UnsafeMutablePointer<httpd_options>

    /// - Parameters:
    ///   - wakeUp: what comes there ends one wait of `run(waiting:)`.
    ///   - presence: what can be read there ends all waits until it is read.
    init(_ options: httpd_options, wakeUp: Int32, presence: Int32) throws(HTTPServer.StartError) {
        let flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        self.options = .allocate(capacity: 1)
        self.options.initialize(to: options)
        guard let pointer = httpd_start(flags, self.options) else {
            self.options.deallocate()
            throw .outOfResources(code: errno)
        }
        self.pointer = pointer
        guard httpd_watch(pointer, wakeUp, false) == 0, httpd_watch(pointer, presence, true) == 0 else {
            let code = errno
            stop()
            throw .outOfResources(code: code)
        }
    }

    /// Waits until there is something to do, but not longer than that, and does it.
    ///
    /// - Parameter milliseconds: -1 for as long as it takes.
    func run(waiting milliseconds: Int32) {
        MHD_run_wait(pointer, milliseconds)
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

/// The end of the process when the library finds its own state broken, after a line in the log.
enum LibraryPanic {
    /// The library has one panic handler for the process.
    static func install() {
        MHD_set_panic_func({ _, file, line, reason in
            let place = file.map { String(cString: $0) } ?? "?"
            let cause = reason.map { String(cString: $0) } ?? "no reason given"
            Logger(label: "HTTPServer").critical("libmicrohttpd panics: \(cause) (\(place):\(line))")
            abort()
        }, nil)
    }
}
