import Glibc

/// A thread of the system, for work that blocks, which tasks must not do.
enum Thread {
    /// Runs `body` on a new thread. Returns the system's error code, 0 if all went well.
    @discardableResult
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { context in
            Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, context.toOpaque())
        if code == 0 { pthread_detach(thread) } else { context.release() }
        return code
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
