import Foundation
import HTTPClient
import Logging
import RawServer
import ScreenWire
import Synchronization
import Testing

@testable import RelistTokens

/// Tests of the times at which a key set is read, and of the keys that are used while the key set cannot be read.
@Suite struct KeyRingTests {
    /// A source of key sets and a clock, both controlled by a test.
    private final class KeySetStub: Sendable {
        private let state = Mutex(
            (result: Result<[UInt8], KeySetFault>.failure(.status(500)), reads: 0, time: ContinuousClock.now, changes: 0))

        var reads: Int { state.withLock { $0.reads } }
        var changes: Int { state.withLock { $0.changes } }
        var now: ContinuousClock.Instant { state.withLock { $0.time } }

        func set(_ names: String...) {
            let keys = names.map { #"{"kty":"oct","kid":"\#($0)","k":"\#(String(repeating: "A", count: 43))"}"# }
            state.withLock { $0.result = .success(Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)) }
        }

        func fail(_ fault: KeySetFault) { state.withLock { $0.result = .failure(fault) } }
        func advance(_ duration: Duration) { state.withLock { $0.time += duration } }

        @Sendable func read() async throws(KeySetFault) -> [UInt8] {
            try state.withLock { state in
                state.reads += 1
                return state.result
            }.get()
        }

        @Sendable func countChange() { state.withLock { $0.changes += 1 } }
    }

    private let stub = KeySetStub()
    private let ring: KeyRing

    init() {
        let stub = stub
        ring = KeyRing(
            acceptsSecrets: true, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { stub.now }, read: stub.read,
            onChange: stub.countChange
        )
    }

    private func knows(_ name: String) -> Bool { ring.keys?.key(named: name, for: .hs256) != nil }

    @Test func addedAndRemovedKeysAreNoticedWithinAMinute() async {
        stub.set("a")
        await ring.refresh()
        stub.set("b")
        await ring.refresh()
        #expect(knows("a") && !knows("b") && stub.reads == 1)
        stub.advance(.seconds(59))
        await ring.refresh()
        #expect(stub.reads == 1)
        stub.advance(.seconds(1))
        await ring.refresh()
        #expect(!knows("a") && knows("b") && stub.reads == 2 && stub.changes == 2)
    }

    @Test func readingAnUnchangedKeySetReportsNoChange() async {
        stub.set("a")
        for _ in 0..<3 {
            await ring.refresh()
            stub.advance(KeyRing.interval)
        }
        #expect((stub.reads, stub.changes) == (3, 1))
    }

    @Test func failedReadsOfAKeySetAreRepeatedWithDoublingDelays() async {
        await ring.refresh()
        let delays = Mutex<[Duration]>([])
        try? await ring.run { [stub] delay in
            let count = delays.withLock { delays in
                delays.append(delay)
                return delays.count
            }
            if count == 10 { throw CancellationError() }
            if count == 8 { stub.set("a") }
            stub.advance(delay)
        }
        #expect(delays.withLock { $0 } == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map { .seconds($0) })
        // The key set was read once before `run`, and once after each delay except the last delay, which was cancelled.
        #expect(stub.reads == 1 + 9 && knows("a"))
    }

    @Test func afterAFailureAKeySetIsReadAgainOnlyWhenTheDelayIsOver() async {
        await ring.refresh()
        stub.advance(.milliseconds(999))
        await ring.refresh()
        #expect(stub.reads == 1)
        stub.advance(.milliseconds(1))
        await ring.refresh()
        #expect(stub.reads == 2)
        stub.advance(.seconds(1))
        await ring.refresh()
        #expect(stub.reads == 2)
    }

    @Test(arguments: [KeySetFault.status(503), .unreachable(.timedOut(.response)), .noKeySet])
    func theLastKnownKeysRemainWhileTheKeySetCannotBeRead(_ fault: KeySetFault) async {
        await ring.refresh()
        #expect(ring.keys == nil && ring.fault == .status(500))
        stub.set("a")
        stub.advance(KeyRing.interval)
        await ring.refresh()
        #expect(knows("a") && ring.fault == nil)
        stub.fail(fault)
        stub.advance(KeyRing.interval)
        await ring.refresh()
        #expect(knows("a") && ring.fault == fault && stub.changes == 1)
    }

    @Test func readingAKeySetWithoutKeysRemovesAllKeys() async {
        stub.set("a")
        await ring.refresh()
        stub.set()
        stub.advance(KeyRing.interval)
        await ring.refresh()
        #expect(ring.keys == nil && ring.fault == .noUsableKey([]) && stub.changes == 2)
    }

    @Test func concurrentRefreshesReadTheKeySetOnce() async {
        stub.set("a")
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await ring.refresh() } }
        }
        #expect(stub.reads == 1 && knows("a"))
    }

    @Test func aKeySetIsReadOverHTTP() async throws {
        let set = #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
        let server = RawServer(
            .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: \(set.utf8.count)\r\n\r\n\(set)".utf8)),
            .bytes(Array("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2/\r\nContent-Length: 0\r\n\r\n".utf8)), .bytes([]),
            .endless(head: "HTTP/1.1 200 OK\r\n\r\n")
        )
        defer { server.stop() }
        let source = try KeySource("\(server.url)/keys?x=1")
        #expect(!source.isPrivate)
        let client = HTTPClient()
        #expect(try await source.read(client) == Array(set.utf8))
        await #expect(throws: KeySetFault.status(302)) { try await source.read(client) }
        await #expect(throws: KeySetFault.unreachable(.incomplete)) { try await source.read(client) }
        await #expect(throws: KeySetFault.unreachable(.tooLarge)) { try await source.read(client) }
    }

    @Test func aSecretKeyIsAcceptedOnlyFromAFile() async throws {
        let set = Array(#"{"keys":[{"kty":"oct","k":"\#(String(repeating: "A", count: 43))"}]}"#.utf8)
        #expect(try await KeySet(set, acceptsSecrets: true).keys.map(\.algorithm) == [.hs256])
        await #expect(throws: KeySetFault.noUsableKey([.secretFromElsewhere])) { try await KeySet(set, acceptsSecrets: false) }
    }

    @Test func twoKeysWithTheSameIdAreNotUsed() async {
        stub.set("a", "a")
        await ring.refresh()
        #expect(!knows("a"))
    }
}
