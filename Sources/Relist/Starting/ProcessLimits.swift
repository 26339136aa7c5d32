import CAllocator
import Dispatch
import Glibc

/// The memory of the process, as the allocator has it from the system.
enum Heap {
    /// In seconds.
    private static let trimInterval = 10.0
    /// How many times as long as it takes it stays away: whoever allocates has to wait, and with gigabytes that are in
    /// pieces it takes 100 ms.
    private static let trimRarity = 1000.0
    /// To have a thread for that which serves nobody.
    private static let queue = DispatchQueue(label: "heap")

    /// Has threads use what others free: with heaps of their own the process grows for hours.
    static func share() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Gives back what nobody uses every so often, for as long as the process runs. By itself the allocator does so at the
    /// end of the heap alone, where some small thing always lies after a large screen.
    static func keepTrimmed(after pause: Double = trimInterval) {
        queue.asyncAfter(deadline: .now() + pause) {
            let duration = ContinuousClock().measure { malloc_trim(0) } / .seconds(1)
            keepTrimmed(after: max(trimInterval, duration * trimRarity))
        }
    }
}

/// How many files the process may have open: each connection is one.
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
