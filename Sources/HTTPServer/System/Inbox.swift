import CMicroHTTPD
import Glibc
import Synchronization

/// Messages from any thread to the thread of an event loop.
final class Inbox: Sendable {
    /// An eventfd that is signalled when there are messages. The signal ends the wait of the loop.
    let descriptor: Int32
    /// The messages that the loop has not taken yet; `nil` after the loop has ended.
    private let messages = Mutex<[EventLoop.Message]?>([])

    init() throws(HTTPServer.StartError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Appends a message, or discards it and returns false if the loop has ended. Only the first message of a batch wakes the loop, because
    /// the loop takes all messages at once.
    @discardableResult
    func post(_ message: EventLoop.Message) -> Bool {
        let count = messages.withLock { messages in
            messages?.append(message)
            return messages?.count
        }
        if count == 1 { eventfd_write(descriptor, 1) }
        return count != nil
    }

    func takeAll() -> [EventLoop.Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages ?? []
        }
    }

    /// Returns the remaining messages. All later messages are discarded.
    func close() -> [EventLoop.Message] {
        messages.withLock { messages in
            defer { messages = nil }
            return messages ?? []
        }
    }
}
