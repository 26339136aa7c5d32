import Glibc

/// Sets how many files the process may have open: each connection is one.
enum OpenFiles {
    /// Raises the limit as far as the system lets the process do it by itself.
    static func raiseLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
