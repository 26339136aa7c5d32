import Synchronization

/// Carries messages from any thread to the thread of an event loop.
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
