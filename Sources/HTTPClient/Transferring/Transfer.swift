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

        mutating func resumeWaiting() {
            let resumed = waiting.filter { has($0.event) }
            if resumed.isEmpty { return }
            waiting = waiting.filter { !has($0.event) }
            for (_, continuation) in resumed { continuation.resume() }
        }
    }

    /// The maximum number of unread bytes of a stream. The transfer pauses before it exceeds this number.
    private static let unreadLimit = 65_536

    let reading: Reading
    private let queue: TransferQueue
    private let state = Mutex(State())

    init(_ reading: Reading, queue: TransferQueue) {
        self.reading = reading
        self.queue = queue
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
        let isEnded = state.withLock { state in
            guard state.end == nil else { return false }
            (state.end, state.bytes) = (.failure(.cancelled), [])
            state.resumeWaiting()
            return true
        }
        if isEnded { queue.post(.abort(self)) }
    }

    /// Waits for an event or for the end of the transfer. If the waiting task is cancelled, the transfer is cancelled.
    private func wait(for event: Event) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiting.append((event, continuation))
                    state.resumeWaiting()
                }
            }
        } onCancel: {
            cancel()
        }
    }
}

// The thread of the client uses these functions.
extension Transfer {
    func accept(_ head: ResponseHead) {
        state.withLock { state in
            state.head = head
            state.resumeWaiting()
        }
    }

    func accept(_ bytes: UnsafeRawBufferPointer) -> Acceptance {
        state.withLock { state in
            guard state.end == nil else { return .ended }
            let count = state.bytes.count + bytes.count
            switch reading {
            case .complete(let limit, _):
                if count > limit { return .tooLarge }
            case .streamed:
                // If there are no unread bytes, any number of bytes is accepted. Otherwise the reader would wait forever.
                if count > Self.unreadLimit && !state.bytes.isEmpty {
                    state.isPaused = true
                    return .full
                }
            }
            state.bytes.append(contentsOf: bytes)
            state.resumeWaiting()
            return .accepted
        }
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = result
            state.resumeWaiting()
        }
    }
}
