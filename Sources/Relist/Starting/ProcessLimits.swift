import CAllocator
import Dispatch
import Glibc

/// Functions that limit the memory that the allocator holds.
enum Heap {
    /// The minimum time between two calls of `malloc_trim`, in seconds.
    private static let trimInterval = 10.0
    /// The minimum pause after a call of `malloc_trim`, as a multiple of the duration of the call. The pauses are long, because other
    /// threads that allocate memory must wait during the call. With gigabytes of fragmented memory, a call takes 100 ms.
    private static let trimRarity = 1000.0
    /// The queue on which `malloc_trim` is called, so that no thread that serves requests calls it.
    private static let queue = DispatchQueue(label: "heap")

    /// Makes threads share heaps. With one heap for each thread, the process would grow for hours.
    static func share() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Returns unused memory to the system at intervals, for as long as the process runs. The allocator itself returns only memory at the
    /// end of the heap. The end of the heap is rarely unused, because small allocations are usually placed behind the memory of a large
    /// screen.
    static func keepTrimmed(after pause: Double = trimInterval) {
        queue.asyncAfter(deadline: .now() + pause) {
            let duration = ContinuousClock().measure { malloc_trim(0) } / .seconds(1)
            keepTrimmed(after: max(trimInterval, duration * trimRarity))
        }
    }
}

/// The limit of open files of the process. Each connection is one open file.
enum OpenFiles {
    /// The default limit of open files on most systems.
    static let usualLimit = 1024

    /// Raises the limit as far as the system allows, and returns the new limit.
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
