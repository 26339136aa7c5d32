import ScreenDiff
import Testing

/// Tests of changesets that arrive while a view performs a changeset.
@MainActor @Suite struct ArrivingChangesets {
    private let view = ListView<[Int]>()
    private let first = StagedChangeset(source: [1, 2], target: [2])
    private let second = StagedChangeset(source: [2], target: [2, 3])

    private func perform(_ changeset: StagedChangeset<[Int]>, completion: (@MainActor (Bool) -> Void)? = nil) {
        view.reload(using: changeset, setData: { view.log.append(.setData($0)) }, completion: completion)
    }

    @Test func aChangesetThatArrivesInABatchReloadsTheViewAfterTheBatch() {
        view.willEndBatch = { perform(second) }
        perform(first)
        #expect(
            view.log == [
                .begin, .setData([2]), .perform(.deleteCells([CellPlace(section: 0, item: 0)])), .end, .setData([2, 3]), .reload,
            ])
    }

    @Test func theNewestOfSeveralChangesetsIsShownOnce() {
        let third = StagedChangeset(source: [2, 3], target: [])
        view.willEndBatch = {
            perform(second)
            perform(third)
        }
        perform(first)
        #expect(view.log.suffix(3) == [.end, .setData([]), .reload])
    }

    @Test func theRemainingStagesAreNotPerformedAfterAnotherChangesetArrives() {
        let stages = first + StagedChangeset(source: [2], target: [2, 9])
        view.willEndBatch = { perform(second) }
        perform(stages)
        #expect(view.log.count { $0 == .begin } == 1)
        #expect(view.log.suffix(2) == [.setData([2, 3]), .reload])
    }

    @Test func theCompletionReportsThatTheFirstChangesetWasNotAnimatedToItsEnd() {
        var received: [String] = []
        view.willEndBatch = { perform(second) { received.append("second \($0)") } }
        perform(first) { received.append("first \($0)") }
        view.completions[0](true)
        #expect(received == ["second true", "first false"])
    }

    @Test func theArrivalOfAChangesetWithoutStagesChangesNothing() {
        var received: [Bool] = []
        view.willEndBatch = { perform(StagedChangeset()) { received.append($0) } }
        perform(first) { received.append($0) }
        #expect(!view.log.contains(.reload) && received == [true])
        view.completions[0](true)
        #expect(received == [true, true])
    }

    @Test func aChangesetThatArrivesInTheInterruptClosureIsShown() {
        view.reload(
            using: first,
            interrupt: { _ in
                perform(second)
                return false
            }, setData: { view.log.append(.setData($0)) })
        #expect(view.log == [.setData([2, 3]), .reload])
    }

    @Test func aViewIsReloadedOnceIfAChangesetArrivesBeforeAStageThatWouldBeInterrupted() {
        let stages = first + StagedChangeset(source: [2], target: [2, 9])
        view.willEndBatch = { perform(second) }
        var interrupts = 0
        let isSecond: (Changeset<[Int]>) -> Bool = { _ in
            interrupts += 1
            return interrupts == 2
        }
        view.reload(using: stages, interrupt: isSecond, setData: { view.log.append(.setData($0)) })
        #expect(view.log.suffix(3) == [.end, .setData([2, 3]), .reload] && interrupts == 1)
    }

    @Test func aChangesetThatArrivesForADifferentViewIsPerformed() {
        let other = ListView<[Int]>()
        view.willEndBatch = { other.reload(using: second) { other.log.append(.setData($0)) } }
        perform(first)
        #expect(other.log.first == .begin && other.log.last == .end)
        #expect(!view.log.contains(.reload))
    }

    @Test func aViewPerformsTheNextChangesetAfterAReload() {
        view.willEndBatch = {
            view.willEndBatch = {}
            perform(second)
        }
        perform(first)
        view.log = []
        perform(StagedChangeset(source: [2, 3], target: [3]))
        #expect(view.log.first == .begin && view.log.last == .end)
    }
}
