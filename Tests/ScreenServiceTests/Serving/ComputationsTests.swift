import Glibc
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

@Suite("Computations") struct ComputationsTests {
    private let turns = Turns()

    @Test(arguments: [0, 1 << 20]) func concurrentRequestsShareOneComputation(cacheBytes: Int) async throws {
        let letters = try await LetterService(cacheBytes: cacheBytes)
        let view = letters.view()
        let gate = letters.store.hold()
        let requests = (0..<100).map { _ in turns.start { try await letters.service.snapshot(of: view).value } }
        await gate.isReached()
        turns.settle()
        gate.open()
        let first = try await requests[0].value
        for request in requests { #expect(try await request.value === first) }
        #expect(letters.service.metrics.current.computations == 1)
    }

    /// A screen whose title is the niceness of the thread that computes it.
    private struct NiceScreen: Screen {
        static let name = "nice"
        let visibility = Visibility.everyone
        let isStatic = true
        let title: Text = "Nice"

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Row>> {
            ScreenContent(title: "\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))", model: TableViewModel())
        }
    }

    @Test(arguments: [false, true]) func aRequestThatHasWaitedForItsTurnIsComputedWithALowPriority(hasWaited: Bool) async throws {
        let service = try await ScreenService(catalog: try ScreenCatalog([NiceScreen()]), store: TestStore(), logger: .silent)
        let view = try service.catalog.view(of: "nice", parameters: [], locale: .english, caller: .anonymous)
        let document = try await CallerTurn.$hasWaited.withValue(hasWaited) {
            try await service.changes(of: view, from: nil).value
        }
        let title = try JSONReader.read(document.bytes)["title"]
        #expect((title == .string("10")) == hasWaited)
    }

    @Test func requestsForDifferentViewsDoNotWaitForEachOther() async throws {
        let letters = try await LetterService()
        let gate = letters.store.hold()
        let view = letters.view()
        let held = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        #expect(try await letters.service.snapshot(of: letters.view(["q": "a"])).value.text.contains("1 letters"))
        #expect(letters.service.snapshot(of: view).immediateValue == nil)
        gate.open()
        _ = try await held.value
        #expect(letters.service.metrics.current.computations == 2)
    }

    @Test func aRequestAfterAnAnnouncementDoesNotJoinAnEarlierComputation() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.write(["new"])
        let late = turns.start { try await letters.service.snapshot(of: view).value }
        turns.settle()
        gate.open()
        let (first, second) = (try await early.value, try await late.value)
        #expect(first.text.contains("the letter old"))
        #expect(second.text.contains("the letter new"))
        #expect(letters.service.metrics.current.computations == 2)
        #expect(letters.service.snapshot(of: view).immediateValue === second)
    }

    @Test func aRequestAfterAnAnnouncementOfAnotherTopicJoinsTheComputation() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.write(["x"], of: "another")
        let late = turns.start { try await letters.service.snapshot(of: view).value }
        turns.settle()
        gate.open()
        #expect(try await early.value === late.value)
        #expect(letters.service.metrics.current.computations == 1)
    }

    @Test func anOutdatedResultIsReturnedToEarlierRequestsAndNotCached() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.write(["new"])
        gate.open()
        let old = try await early.value
        #expect(old.text.contains("the letter old"))
        #expect(letters.service.snapshot(of: view).immediateValue == nil)
        let answer = try await letters.service.changes(of: view, from: old.version).value
        #expect(answer.text.contains(#""kind":"changeset""#))
        #expect(answer.text.contains("the letter new"))
    }

    @Test func aFailedComputationThrowsItsErrorToAllRequestsAndIsNotCached() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        let gate = letters.store.hold()
        letters.store.fail(DataUnavailable(reason: "away"))
        let requests = (0..<20).map { _ in turns.start { try await letters.service.changes(of: view, from: nil).value } }
        await gate.isReached()
        turns.settle()
        gate.open()
        for request in requests { await #expect(throws: DataUnavailable(reason: "away")) { try await request.value } }
        #expect(letters.service.metrics.totals == .counted(computations: 1, failures: 1))
        #expect(letters.service.usage.views == 0 && letters.service.usage.versions == 0)
        #expect(try await letters.service.changes(of: view, from: nil).value.text.contains("the letter a"))
        #expect(letters.service.metrics.totals == .counted(computations: 2, failures: 1))
    }

    @Test func aRequestAfterAnAnnouncementDoesNotReceiveTheFailureOfAnEarlierComputation() async throws {
        let letters = try await LetterService(["old"])
        let view = letters.view()
        let gate = letters.store.hold()
        letters.store.fail(DataUnavailable(reason: "away"))
        let early = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        letters.store.write(["new"])
        let late = turns.start { try await letters.service.snapshot(of: view).value }
        let follower = turns.start { try await Follower(letters.service, view).next() }
        turns.settle()
        gate.open()
        await #expect(throws: DataUnavailable(reason: "away")) { try await early.value }
        #expect(try await late.value.text.contains("the letter new"))
        #expect(try await follower.value?.text.contains("the letter new") == true)
        #expect(letters.service.metrics.current.failures == 1)
    }

    @Test func aCancelledRequestDoesNotCancelTheComputationThatOtherRequestsWaitFor() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        let gate = letters.store.hold()
        let cancelled = turns.start { try await letters.service.snapshot(of: view).value }
        await gate.isReached()
        let other = turns.start { try await letters.service.snapshot(of: view).value }
        turns.settle()
        cancelled.cancel()
        gate.open()
        #expect(try await other.value.text.contains("the letter a"))
    }
}

/// The counts of all screens and causes together.
struct Totals: Equatable {
    var computations = 0
    var failures = 0
    var actions = 0
    var diffs = 0
    var renamedIDs = 0

    static func counted(computations: Int = 0, failures: Int = 0, diffs: Int = 0, renamedIDs: Int = 0) -> Totals {
        Totals(computations: computations, failures: failures, diffs: diffs, renamedIDs: renamedIDs)
    }
}

extension ServiceMetrics {
    var totals: Totals {
        let counts = current
        return Totals(
            computations: counts.computations, failures: counts.failures, actions: counts.actions, diffs: counts.diffs,
            renamedIDs: counts.renamedIDs
        )
    }
}
