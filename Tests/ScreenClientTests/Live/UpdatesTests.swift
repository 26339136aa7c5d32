import Foundation
import Testing

@testable import ScreenClient

@MainActor @Suite(.timeLimit(.minutes(1)))
struct UpdatesTests {
    let client = ScreenClient(base: URL(string: "http://test")!, transport: ScriptedTransport(), snapshots: nil, attempts: nil)

    @Test func noUpdateIsReportedAfterTheScreenIsReleased() async throws {
        var screen: LiveScreen? = client.screen("letters")
        let consumer = Consumer(screen!.updates)
        let mailbox = try #require(screen!.mailboxes.first?.mailbox)
        await whenReleased { mailbox.pending == nil }
        // The consumer has removed the update from the mailbox, so it must have received the update.
        #expect(consumer.count == 1)
        screen = nil
        try await consumer.end()
        #expect(consumer.count == 1)
    }

    @Test func aCancelledConsumerReceivesNoUpdate() async throws {
        let screen = client.screen("letters")
        let consumer = Consumer(screen.updates)
        await whenReleased { consumer.count > 0 }
        screen.post(.snapshot)
        consumer.cancel()
        try await consumer.end()
        #expect(consumer.count == 1)
    }
}

/// A consumer of updates that counts them.
@MainActor
private final class Consumer {
    private(set) var count = 0
    private var task: Task<Void, Never>?

    init(_ updates: ListUpdates) {
        task = Task { for await _ in updates { count += 1 } }
    }

    func cancel() { task?.cancel() }

    /// Waits until the sequence of updates has ended.
    func end() async throws { try await task?.ended() }
}
