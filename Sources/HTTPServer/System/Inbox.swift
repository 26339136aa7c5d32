import CMicroHTTPD
import Glibc
import Synchronization

/// Messages from any thread to the thread of an event loop.
final class Inbox<Message: Sendable>: Sendable {
    let wakeUp: WakeUp
    private let messages = Mutex<[Message]>([])

    init() throws(HTTPServer.StartError) {
        wakeUp = try WakeUp()
    }

    /// Only the first message of a batch interrupts: the loop takes all of them at once.
    func post(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if isFirst { wakeUp.signal() }
    }

    func takeAll() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// An interruption of an event loop's wait, from any thread.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(HTTPServer.StartError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        eventfd_write(descriptor, 1)
    }
}
