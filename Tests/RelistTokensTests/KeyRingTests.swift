import Foundation
import HTTPClient
import Logging
import RawServer
@testable import RelistTokens
import ScreenWire
import Synchronization
import Testing

/// When keys are read, and what holds while they cannot be.
@Suite struct KeyRingTests {
    /// A key set that a test sets, and a clock.
    private final class Place: Sendable {
        private let state = Mutex((set: Result<[UInt8], KeySetFault>.failure(.status(500)), reads: 0, time: ContinuousClock.now, changes: 0))

        var reads: Int { state.withLock { $0.reads } }
        var changes: Int { state.withLock { $0.changes } }
        var now: ContinuousClock.Instant { state.withLock { $0.time } }

        func put(_ names: String...) {
            let keys = names.map { #"{"kty":"oct","kid":"\#($0)","k":"\#(String(repeating: "A", count: 43))"}"# }
            state.withLock { $0.set = .success(Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)) }
        }

        func fail(_ fault: KeySetFault) { state.withLock { $0.set = .failure(fault) } }
        func pass(_ duration: Duration) { state.withLock { $0.time += duration } }

        @Sendable func read() async throws(KeySetFault) -> [UInt8] {
            try state.withLock { state in
                state.reads += 1
                return state.set
            }.get()
        }

        @Sendable func noteChange() { state.withLock { $0.changes += 1 } }
    }

    private let place = Place()
    private let ring: KeyRing

    init() {
        let place = place
        ring = KeyRing(
            acceptsSecrets: true, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { place.now }, read: place.read,
            changed: place.noteChange
        )
    }

    private func knows(_ name: String) -> Bool { ring.keys?.key(named: name, for: .hs256) != nil }

    @Test func aKeyThatComesIsKnownAfterAMinuteAtMostAndOneThatGoesIsNot() async {
        place.put("a")
        await ring.refresh()
        place.put("b")
        await ring.refresh()
        #expect(knows("a") && !knows("b") && place.reads == 1)
        place.pass(.seconds(59))
        await ring.refresh()
        #expect(place.reads == 1)
        place.pass(.seconds(1))
        await ring.refresh()
        #expect(!knows("a") && knows("b") && place.reads == 2 && place.changes == 2)
    }

    @Test func whatIsTheSameIsNoChange() async {
        place.put("a")
        for _ in 0..<3 {
            await ring.refresh()
            place.pass(KeyRing.interval)
        }
        #expect((place.reads, place.changes) == (3, 1))
    }

    @Test func aSetThatCannotBeHadAtTheStartIsReadAgainAfterPausesThatDoubleUpToAMinute() async {
        await ring.refresh()
        let pauses = Mutex<[Duration]>([])
        try? await ring.run { [place] pause in
            let count = pauses.withLock { pauses in
                pauses.append(pause)
                return pauses.count
            }
            if count == 10 { throw CancellationError() }
            if count == 8 { place.put("a") }
            place.pass(pause)
        }
        #expect(pauses.withLock { $0 } == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map { .seconds($0) })
        // The first was before; the last pause was cut off.
        #expect(place.reads == 1 + 9 && knows("a"))
    }

    @Test func aTokenHasNoSetReadAgainBeforeThePauseIsOver() async {
        await ring.refresh()
        place.pass(.milliseconds(999))
        await ring.refresh()
        #expect(place.reads == 1)
        place.pass(.milliseconds(1))
        await ring.refresh()
        #expect(place.reads == 2)
        place.pass(.seconds(1))
        await ring.refresh()
        #expect(place.reads == 2)
    }

    @Test(arguments: [KeySetFault.status(503), .unreachable(.slow), .noKeySet])
    func keysThatAreKnownGoOnWhileTheSetCannotBeHad(_ fault: KeySetFault) async {
        await ring.refresh()
        #expect(ring.keys == nil && ring.fault == .status(500))
        place.put("a")
        place.pass(KeyRing.interval)
        await ring.refresh()
        #expect(knows("a") && ring.fault == nil)
        place.fail(fault)
        place.pass(KeyRing.interval)
        await ring.refresh()
        #expect(knows("a") && ring.fault == fault && place.changes == 1)
    }

    @Test func aSetWithoutKeysHasNone() async {
        place.put("a")
        await ring.refresh()
        place.put()
        place.pass(KeyRing.interval)
        await ring.refresh()
        #expect(ring.keys == nil && ring.fault == .noUsableKey([]) && place.changes == 2)
    }

    @Test func allWhoAskAtOnceWaitForOneReading() async {
        place.put("a")
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await ring.refresh() } }
        }
        #expect(place.reads == 1 && knows("a"))
    }

    @Test func aSetIsHadFromAServerOverHTTP() async throws {
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
        await #expect(throws: KeySetFault.unreachable(.unreachable)) { try await source.read(client) }
        await #expect(throws: KeySetFault.unreachable(.tooLarge)) { try await source.read(client) }
    }

    @Test func aSecretIsTakenFromAFileAlone() async throws {
        let set = Array(#"{"keys":[{"kty":"oct","k":"\#(String(repeating: "A", count: 43))"}]}"#.utf8)
        #expect(try await KeySet(set, acceptsSecrets: true).keys.map(\.algorithm) == [.hs256])
        await #expect(throws: KeySetFault.noUsableKey([.secretFromElsewhere])) { try await KeySet(set, acceptsSecrets: false) }
    }

    @Test func ofTwoKeysOfOneNameNoneCounts() async {
        place.put("a", "a")
        await ring.refresh()
        #expect(!knows("a"))
    }
}
