import Glibc

/// Runs `body` on a new thread. The thread blocks all signals, because the program handles signals on its other threads.
///
/// - Returns: `false` if the system cannot create the thread.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(Work(body: body))
    var (thread, all, previous) = (pthread_t(), sigset_t(), sigset_t())
    sigfillset(&all)
    // The new thread inherits the signal mask.
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let code = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, context.toOpaque())
    if code == 0 { pthread_detach(thread) } else { context.release() }
    return code == 0
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
