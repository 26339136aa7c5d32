import ScreenDiff
import Testing

/// Tests that the completion of a changeset is called once, after all batches have ended.
@MainActor @Suite struct Completions {
    // This changeset has two stages: an update and a move.
    private let changeset = StagedChangeset(source: [Word(1), Word(2)], target: [Word(2, "new"), Word(1)])

    private struct Word: Differentiable, Hashable, Sendable {
        let id: Int
        let text: String

        init(_ id: Int, _ text: String = "") { (self.id, self.text) = (id, text) }

        var differenceIdentifier: Int { id }
    }

    @Test(arguments: [[true, true], [true, false], [false, true]])
    func theCompletionIsCalledAfterTheLastAnimation(areFinished: [Bool]) {
        let view = ListView<[Word]>()
        var received: [Bool] = []
        view.reload(using: changeset, setData: { _ in }, completion: { received.append($0) })
        #expect(view.completions.count == 2)
        // The animation of a later batch can end first.
        view.completions[1](areFinished[1])
        #expect(received == [])
        view.completions[0](areFinished[0])
        #expect(received == [areFinished == [true, true]])
    }

    @Test func theCompletionIsCalledOnceIfTheChangesetHasNoStages() {
        let view = ListView<[Word]>()
        var received: [Bool] = []
        view.reload(using: StagedChangeset<[Word]>(), setData: { _ in }, completion: { received.append($0) })
        #expect(received == [true])
    }

    @Test func theCompletionIsCalledOnceIfTheViewIsNotInAWindow() {
        let view = ListView<[Word]>(isShown: false)
        var received: [Bool] = []
        view.reload(using: changeset, setData: { view.log.append(.setData($0)) }) {
            received.append($0)
            view.log.append(.end)
        }
        #expect(received == [true])
        #expect(view.log.suffix(2) == [.reload, .end])
    }

    @Test func theCompletionOfAnInterruptedChangesetIsCalledAfterTheBatchesThatWerePerformed() {
        let view = ListView<[Word]>()
        var received: [Bool] = []
        var stages = 0
        let isSecond: (Changeset<[Word]>) -> Bool = { _ in
            stages += 1
            return stages == 2
        }
        view.reload(using: changeset, interrupt: isSecond, setData: { _ in }, completion: { received.append($0) })
        #expect(view.log.last == .reload && received == [])
        view.completions[0](true)
        #expect(received == [true])
    }

    @Test func theCompletionCanPerformTheNextChangeset() {
        let view = ListView<[Word]>()
        view.reload(using: StagedChangeset<[Word]>(), setData: { _ in }) { _ in view.reload(using: changeset) { _ in } }
        #expect(view.log.count { $0 == .begin } == 2)
    }
}
