import Foundation
import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

@Suite struct Identifiers {
    @Test(arguments: Seeds.first(20), ModelPairs.Repeats.allCases)
    func theStagesDoNotDependOnTheTypeOfTheIdentifiers(seed: UInt64, repeats: ModelPairs.Repeats) {
        var pairs = ModelPairs(seed: seed, repeats: repeats)
        for _ in 0..<20 {
            let (source, target) = pairs.next()
            let expected = source.changeset(to: target).stages
            #expect(stages(source, target) { String($0) } == expected)
            #expect(stages(source, target, uuid) == expected)
            #expect(stages(source, target) { Pair(first: $0 / 10, second: $0 % 10) } == expected)
        }
    }

    @Test func equalNumbersOfDifferentTypesIdentifyTheSameElement() {
        let source: [AnyHashable] = [1 as Int, 2 as Int, "3", uuid(0)]
        let target: [AnyHashable] = [uuid(0), 2.0, "3", 1 as Int8]
        for target in [target, target.reversed()] {
            let changeset = StagedChangeset(
                source: source.map { Row(id: $0, content: 0) }, target: target.map { Row(id: $0, content: 0) }
            )
            #expect(changeset.stages.allSatisfy { $0.deleteCells.isEmpty && $0.insertCells.isEmpty })
        }
    }

    private func uuid(_ number: Int) -> UUID {
        UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    private func stages<ID: Hashable>(_ source: TestModel, _ target: TestModel, _ id: (Int) -> ID) -> [Stage] {
        StagedChangeset(source: sections(source, id), target: sections(target, id)).stages
    }

    private func sections<ID: Hashable>(_ model: TestModel, _ id: (Int) -> ID) -> [ArraySection<Header, Row<ID>>] {
        model.sections.map { section in
            let rows = section.cells.map { Row(id: id($0.id), content: $0.content) }
            return ArraySection(model: Header(id: section.id, header: section.header), elements: rows)
        }
    }
}

private struct Row<ID: Hashable>: Differentiable, Identifiable, Equatable {
    let id: ID
    let content: Int
}

private struct Header: Differentiable, Identifiable, Equatable {
    let id: String
    let header: Int?
}

/// A custom identifier.
private struct Pair: Hashable {
    let first: Int
    let second: Int
}
