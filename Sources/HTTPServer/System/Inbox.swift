import CMicroHTTPD
import Glibc
import Synchronization

/// Messages from any thread to the thread of an event loop.
final class Inbox: Sendable {
    /// An eventfd that is signalled when there are messages. The signal ends the wait of the loop.
    let descriptor: Int32
    private let messages = Mutex<[EventLoop.Message]>([])

    init() throws(HTTPServer.StartError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Appends a message. Only the first message of a batch wakes the loop, because the loop takes all messages at once.
    func post(_ message: EventLoop.Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if isFirst { eventfd_write(descriptor, 1) }
    }

    func takeAll() -> [EventLoop.Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
