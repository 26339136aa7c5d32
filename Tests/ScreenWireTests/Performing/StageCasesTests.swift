import Foundation
import ScreenDiff
import Testing

@testable import ScreenWire

/// Performs the cases of `Tests/Fixtures/Stages` on a list view. The page's list view performs the same cases. The README of the folder
/// describes them.
@MainActor @Suite("Performing stages") struct StageCasesTests {
    private nonisolated static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/Stages").standardized
    private nonisolated static let names = ["across-sections", "cells", "order", "sections", "views"]

    @Test(arguments: names) func aListViewPerformsEachStageWithoutReplacingNodes(name: String) throws {
        for stageCase in try StageCase.read(Self.folder.appending(path: "\(name).json")) {
            var tree = stageCase.before
            let view = NodeListView(tree.sections)
            let stages = try tree.applyByStages(stageCase.changeset)
            try #require(stages.count == stageCase.stages.count, "\(stageCase.name)")
            for (index, (stage, expected)) in zip(stages, stageCase.stages).enumerated() {
                let nodes = Nodes(view)
                // All stages are one changeset for an app. Here each is performed alone, so that the list can be compared after each.
                view.reload(using: [changeset(stage)]) { view.data = $0 }
                let place = "\(stageCase.name), stage \(index + 1)"
                #expect(StageCase.Places(view.operations) == expected.performs, "\(place)")
                #expect(view.sections.map(StageCase.Section.init) == expected.shows, "\(place)")
                #expect(Nodes(view).differing(from: nodes) == [], "\(place)")
            }
            #expect(!view.isReloaded)
        }
    }

    @Test(arguments: names) func performingAllStagesTogetherShowsTheListAfterTheLastStage(name: String) throws {
        for stageCase in try StageCase.read(Self.folder.appending(path: "\(name).json")) {
            var tree = stageCase.before
            let view = NodeListView(tree.sections)
            let (nodes, before) = (Nodes(view), view.sections.map(StageCase.Section.init))
            let stages = try tree.applyByStages(stageCase.changeset)
            view.reload(using: StagedChangeset(stages.map(changeset))) { view.data = $0 }
            #expect(view.sections.map(StageCase.Section.init) == stageCase.stages.last?.shows ?? before, "\(stageCase.name)")
            #expect(Nodes(view).differing(from: nodes) == [], "\(stageCase.name)")
        }
    }

    private func changeset(_ applied: SnapshotTree.AppliedStage) -> Changeset<[SnapshotTree.Section]> {
        Changeset(applied.stage, data: applied.snapshot.sections) { applied.updates.inPlace() }
    }

    @Test func allCaseFilesAreRun() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.sorted() == Self.names.map { "\($0).json" })
    }
}

/// The nodes of a list view, by the ids of their sections and cells.
@MainActor private struct Nodes {
    private let sections: [String: NodeListView.SectionNode]
    private let cells: [String: NodeListView.CellNode]

    init(_ view: NodeListView) {
        sections = Dictionary(uniqueKeysWithValues: view.sections.map { ($0.id, $0) })
        cells = Dictionary(uniqueKeysWithValues: view.sections.flatMap(\.cells).map { ($0.id, $0) })
    }

    /// Returns the ids of the sections and cells whose node has been replaced since `before`.
    func differing(from before: Nodes) -> [String] {
        let others = sections.filter { id, node in before.sections[id].map { $0 !== node } ?? false }
        return others.map(\.key) + cells.filter { id, node in before.cells[id].map { $0 !== node } ?? false }.map(\.key)
    }
}
