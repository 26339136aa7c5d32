import ScreenDiff
import Testing

// The examples of DifferenceKit's README, with other content.

private struct Grain: Differentiable {
    let id: Int
    let name: String

    var differenceIdentifier: Int {
        return id
    }

    func isContentEqual(to source: Grain) -> Bool {
        return name == source.name
    }
}

private enum Silo: Differentiable {
    case north, south, west
}

extension PeersTests {
    @Test func theExamplesInTheDifferenceKitReadmeComputeChangesets() {
        let source = [
            Grain(id: 0, name: "Barley"),
            Grain(id: 1, name: "Oats"),
        ]
        let target = [
            Grain(id: 1, name: "Oats"),
            Grain(id: 0, name: "Barley"),
            Grain(id: 2, name: "Rye"),
        ]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.map(\.elementInserted) == [[ElementPath(element: 2, section: 0)]] && changeset.map(\.elementMoved.count) == [1])

        let mixed = [
            AnyDifferentiable("A"),
            AnyDifferentiable(Grain(id: 0, name: "Barley")),
        ]
        #expect(StagedChangeset(source: mixed, target: [mixed[1]]).map(\.elementDeleted) == [[ElementPath(element: 0, section: 0)]])
    }

    @Test func theExampleWithSectionsInTheDifferenceKitReadmeComputesAChangeset() {
        let source: [ArraySection<Silo, String>] = [
            ArraySection(model: .north, elements: ["A", "B"]),
            ArraySection(model: .south, elements: ["C"]),
        ]
        let target: [ArraySection<Silo, String>] = [
            ArraySection(model: .west, elements: ["D", "E"]),
            ArraySection(model: .north, elements: ["A"]),
            ArraySection(model: .south, elements: ["B", "C"]),
        ]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.map(\.sectionInserted) == [[0], []])
        #expect(changeset.map { $0.elementMoved.map(\.target) } == [[], [ElementPath(element: 0, section: 2)]])
        #expect(changeset.last?.data == target)
    }
}
