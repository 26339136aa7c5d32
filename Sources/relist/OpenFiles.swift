import Glibc

/// Sets how many files the process may have open: each connection is one.
enum OpenFiles {
    /// What systems let a process have that asks for nothing.
    static let usualLimit = 1024

    /// Raises the limit as far as the system lets the process do it by itself. Returns what it is then.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
