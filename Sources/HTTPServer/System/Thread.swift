import Glibc

/// A system thread, for blocking work, which must not run in tasks.
enum Thread {
    /// Runs `body` on a new thread. Returns the error code of the system, or 0 on success.
    @discardableResult
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
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
