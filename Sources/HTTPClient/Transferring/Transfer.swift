import Synchronization

/// The state of a transfer, which its reader and the thread of the client share.
///
/// The thread stores the head and the bytes of the response. The reader waits for them and removes the bytes that it reads.
final class Transfer: Sendable {
    /// The way in which a response is read.
    enum Reading: Sendable {
        case complete(bodyLimit: Int, timeout: Duration)
        case streamed(idleTimeout: Duration)
    }

    /// The result of passing bytes to the reader.
    enum Acceptance {
        case accepted
        /// The bytes are not accepted until the reader has read earlier bytes.
        case full
        case tooLarge
        /// The transfer has already ended, so no bytes are accepted.
        case ended
    }

    private enum Event {
        case head, bytes, end
    }

    private struct State {
        var head: ResponseHead?
        /// The bytes that have not been read.
        var bytes: [UInt8] = []
        var isPaused = false
        var end: Result<Void, HTTPClientError>?
        var waiting: [(event: Event, continuation: CheckedContinuation<Void, Never>)] = []

        func has(_ event: Event) -> Bool {
            switch event {
            case .head: head != nil || end != nil
            case .bytes: !bytes.isEmpty || end != nil
            case .end: end != nil
            }
        }

        /// Removes and returns the continuations whose event has happened.
        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let ready = waiting.filter { has($0.event) }
            if ready.isEmpty { return [] }
            waiting = waiting.filter { !has($0.event) }
            return ready.map(\.continuation)
        }
    }

    /// The maximum number of unread bytes of a stream. The transfer pauses before it exceeds this number.
    private static let unreadLimit = 65_536

    let reading: Reading
    private let queue: TransferQueue
    private let state = Mutex(State())

    /// A Boolean value that indicates whether the transfer waits until the reader has read earlier bytes.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    init(_ reading: Reading, queue: TransferQueue) {
        self.reading = reading
        self.queue = queue
    }

    /// Changes the state, and resumes the waiting readers whose event has happened.
    ///
    /// The readers are resumed after the lock of `state` is released, to prevent a deadlock. Resuming a task needs the task's own lock. A
    /// thread that cancels this task holds the task's lock while it calls ``cancel()``, which needs the lock of `state`.
    private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = change(&state)
            return (result, state.takeReady())
        }
        for continuation in ready { continuation.resume() }
        return result
    }
}

// The reader uses these functions.
extension Transfer {
    func response() async throws(HTTPClientError) -> HTTPResponse {
        await wait(for: .end)
        return try state.withLock { state throws(HTTPClientError) in
            try state.end?.get()
            guard let head = state.head else { throw .incomplete }
            defer { state.bytes = [] }
            return HTTPResponse(status: head.status, headers: head.headers, retryAfter: head.retryAfter, body: state.bytes)
        }
    }

    func responseHead() async throws(HTTPClientError) -> ResponseHead {
        await wait(for: .head)
        return try state.withLock { state throws(HTTPClientError) in
            if let head = state.head { return head }
            try state.end?.get()
            throw .incomplete
        }
    }

    /// Waits for bytes and returns all unread bytes, or nil at the end of the body.
    func nextBytes() async throws(HTTPClientError) -> [UInt8]? {
        while true {
            await wait(for: .bytes)
            let (bytes, wasPaused, end) = state.withLock { state in
                defer { (state.bytes, state.isPaused) = ([], false) }
                return (state.bytes, state.isPaused, state.end)
            }
            if wasPaused { queue.post(.resume(self)) }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
        }
    }

    /// Ends the transfer as cancelled and discards its unread bytes. Does nothing if the transfer has already ended.
    func cancel() {
        let isEnded = update { state in
            guard state.end == nil else { return false }
            (state.end, state.bytes) = (.failure(.cancelled), [])
            return true
        }
        if isEnded { queue.post(.abort(self)) }
    }

    /// Waits for an event or for the end of the transfer. If the waiting task is cancelled, the transfer is cancelled.
    private func wait(for event: Event) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { $0.waiting.append((event, continuation)) }
            }
        } onCancel: {
            cancel()
        }
    }
}

// The thread of the client uses these functions.
extension Transfer {
    func accept(_ head: ResponseHead) {
        update { $0.head = head }
    }

    func accept(_ bytes: UnsafeRawBufferPointer) -> Acceptance {
        update { state in
            guard state.end == nil else { return .ended }
            let count = state.bytes.count + bytes.count
            switch reading {
            case .complete(let limit, _):
                if count > limit { return .tooLarge }
            case .streamed:
                // If there are no unread bytes, any number of bytes is accepted. If such bytes were rejected, the reader would wait
                // forever.
                if count > Self.unreadLimit && !state.bytes.isEmpty {
                    state.isPaused = true
                    return .full
                }
            }
            state.bytes.append(contentsOf: bytes)
            return .accepted
        }
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        update { state in
            if state.end == nil { state.end = result }
        }
    }
}
