import CMicroHTTPD
import Glibc
import Logging

/// Ends the process when the library finds its own state broken, after saying so in the log.
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
