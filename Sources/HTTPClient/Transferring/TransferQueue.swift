import CCurl
import Glibc
import Synchronization

/// A queue of commands for the thread of a client.
final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Transfer, HTTPRequest, ServerURL)
        /// Resumes reading from the connection of a paused transfer.
        case resume(Transfer)
        /// Stops a transfer that its reader has cancelled.
        case abort(Transfer)
    }

    private struct State {
        /// The commands that the thread has not taken. A transfer has at most one command of each kind.
        var commands: [Command] = []
        var transferCount = 0
        var isClosed = false
    }

    /// A file descriptor that becomes readable when ``wake()`` is called. It is negative if the system could not create it.
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
        if descriptor < 0 { state.withLock { $0.isClosed = true } }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    func start(_ transfer: Transfer, _ request: HTTPRequest, _ url: ServerURL) throws(HTTPClientError) {
        try state.withLock { state throws(HTTPClientError) in
            guard !state.isClosed, state.transferCount < limit else { throw .exhausted }
            state.transferCount += 1
            state.commands.append(.start(transfer, request, url))
        }
        wake()
    }

    func post(_ command: Command) {
        let isPosted = state.withLock { state in
            if !state.isClosed { state.commands.append(command) }
            return !state.isClosed
        }
        if isPosted { wake() }
    }

    /// Ends the thread and all transfers.
    func close() {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            state.isClosed = true
            return state.commands
        }
        for case .start(let transfer, _, _) in commands { transfer.end(.failure(.cancelled)) }
        wake()
    }

    func wake() {
        eventfd_write(descriptor, 1)
    }
}

// The thread of the client uses these functions.
extension TransferQueue {
    /// Removes and returns all commands. Returns nil after ``close()`` was called.
    func take() -> [Command]? {
        state.withLock { state in
            defer { state.commands = [] }
            return state.isClosed ? nil : state.commands
        }
    }

    /// Decrements the number of transfers, so that another transfer can start.
    func release() {
        state.withLock { $0.transferCount -= 1 }
    }

    /// Makes the descriptor unreadable until ``wake()`` is called again.
    func acknowledge() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
