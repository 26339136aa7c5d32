import ScreenDiff
import ScreenModel
import Testing

@Suite struct RandomModels {
    /// Printed with a failure by its argument; fixed, so that a run can be repeated.
    static let seeds: [UInt64] = Array(0..<100)

    @Test(arguments: seeds) func changesetsBetweenModelsKeepTheRules(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed)
        for _ in 0..<40 {
            let (source, target) = pairs.next()
            let stages = source.changeset(to: target).stages
            let referee = try Referee.judge(stages, from: source, to: target)
            #expect(referee.moveCount == leastMoves(source, target), "\(source) to \(target)")
            #expect(referee.sectionMoveCount == leastSectionMoves(source, target))
        }
    }

    @Test(arguments: seeds) func outlinesAndModelsHaveTheSameStages(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed)
        for _ in 0..<40 {
            let (source, target) = pairs.next()
            let stages = target.outline.stages(from: source.outline)
            let referee = try Referee.judge(stages, from: source, to: target)
            #expect(referee.moveCount == leastMoves(source, target))
        }
    }

    @Test(arguments: seeds) func repeatedIdentifiersAreDiffedToo(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed, duplicates: true)
        for _ in 0..<40 {
            let (source, target) = pairs.next()
            _ = try Referee.judge(source.changeset(to: target).stages, from: source, to: target)
        }
    }

    @Test(arguments: seeds) func applyingAChangesetGivesItsTarget(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed, duplicates: seed % 2 == 0)
        for _ in 0..<40 {
            let (source, target) = pairs.next()
            #expect(try source.applying(source.changeset(to: target)) == target)
        }
    }

    @Test func aFewHundredModelsAreReachedFromEachOther() throws {
        var pairs = ModelPairs(seed: 7)
        let models = (0..<100).flatMap { _ in [pairs.next()].flatMap { [$0.0, $0.1] } }
        for source in models {
            for target in models {
                #expect(try source.applying(source.changeset(to: target)) == target)
            }
        }
    }

    /// Rule 7, from the definition: one for each cell that changes section, and in each section
    /// those that are not in a longest increasing subsequence.
    private func leastMoves(_ source: TestModel, _ target: TestModel) -> Int {
        var home: [Int: (section: String, item: Int)] = [:]
        for section in target {
            for (item, cell) in section.enumerated() { home[cell.id] = (section.id, item) }
        }
        return source.reduce(0) { moves, section in
            let survivors = section.compactMap { home[$0.id] }
            let remaining = survivors.filter { $0.section == section.id }.map(\.item)
            return moves + survivors.count - longestRun(remaining)
        }
    }

    private func leastSectionMoves(_ source: TestModel, _ target: TestModel) -> Int {
        let places = source.compactMap { section in target.firstIndex { $0.id == section.id } }
        return places.count - longestRun(places)
    }

    /// The length of a longest increasing subsequence, by the textbook's quadratic method.
    private func longestRun(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (index, number) in numbers.enumerated() {
            lengths.append(1 + (numbers[..<index].indices.filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }
}
