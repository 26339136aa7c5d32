import DocumentTexts
import ScreenDiff
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenClient

@Suite struct DiffablePlans {
    private let registry = CellRegistry()

    private func model(_ sections: String) throws -> ListModel {
        let text = #"{"kind":"snapshot","screen":"letters","version":"v1","layout":"table","sections":[\#(sections)]}"#
        return ListModel(try DocumentTexts.tree(text), registry: registry)
    }

    private func section(_ id: String, _ cells: String..., views: String = "") -> String {
        #"{"id":"\#(id)","cells":[\#(cells.joined(separator: ","))]\#(views)}"#
    }

    private func cell(_ id: String, _ content: Int = 0, type: String = "row") -> String {
        #"{"id":"\#(id)","type":"\#(type)","content":\#(content)}"#
    }

    private func plan(from source: String, to target: String) throws -> DiffablePlan {
        DiffablePlan(from: try model(source), to: try model(target))
    }

    @Test func thePlanForTheFirstContentContainsAllSectionsAndCells() throws {
        let plan = DiffablePlan(from: nil, to: try model("\(section("a", cell("1"), cell("2"))),\(section("b"))"))
        #expect(plan.listing().map(\.section) == ["a", "b"] && plan.listing().map(\.items) == [["1", "2"], []])
        #expect(plan.reconfigure == [] && plan.reload == [] && plan.sectionsToReload == [])
    }

    @Test func aChangedCellIsReloadedIfItsTypeChangesAndReconfiguredOtherwise() throws {
        let source = section("a", cell("1"), cell("2"), cell("3"), cell("4"))
        let target = section("a", cell("3", 1), cell("5", 1), cell("2", type: "poster"), cell("1"))
        let plan = try plan(from: source, to: target)
        #expect(plan.listing().map(\.items) == [["3", "5", "2", "1"]])
        #expect(plan.reconfigure == ["3"] && plan.reload == ["2"] && plan.sectionsToReload == [])
    }

    @Test func aCellThatMovesToAnotherSectionAndChangesIsReconfigured() throws {
        let source = "\(section("a", cell("1"), cell("2"))),\(section("b"))"
        #expect(try plan(from: source, to: "\(section("b", cell("1", 1))),\(section("a", cell("2")))").reconfigure == ["1"])
        #expect(try plan(from: source, to: section("c", cell("2", 1))).reconfigure == ["2"])
    }

    @Test(
        arguments: [
            (#","header":{"type":"day"}"#, ""), ("", #","footer":{"type":"day"}"#),
            (#","header":{"type":"day"}"#, #","header":{"type":"month"}"#), (#","header":{"type":"day"}"#, #","footer":{"type":"day"}"#),
            ("", #","supplementary":[{"kind":"badge","cell":"1","view":{"type":"new"}}]"#),
        ])
    func aSectionWhoseViewsChangedIsReloadedWithItsCells(before: String, after: String) throws {
        let plan = try plan(
            from: section("a", cell("1"), cell("2"), views: before),
            to: section("a", cell("1", 1), cell("2", type: "poster"), views: after)
        )
        #expect(plan.sectionsToReload == ["a"])
        #expect(plan.reconfigure == [] && plan.reload == [])
    }

    @Test func anInsertedSectionWithAHeaderIsNotReloaded() throws {
        let header = #","header":{"type":"day"}"#
        let plan = try plan(from: section("a", views: header), to: "\(section("b", views: header)),\(section("a", views: header))")
        #expect(plan.listing().map(\.section) == ["b", "a"] && plan.sectionsToReload == [])
    }

    @Test func onlyTheFirstOfTwoIDsWithEqualCharactersIsListed() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let sections = "\(section(composed, cell(composed), cell(decomposed))),\(section(decomposed, cell("1")))"
        let plan = DiffablePlan(from: nil, to: try model(sections))
        #expect(plan.listing().count == 1 && plan.listing()[0].items == [composed])
        #expect(DiffableSnapshot(plan, shown: DiffableSnapshot()).numberOfItems == 1)
    }

    /// Returns the update of the list `a: 1 2 3`.
    private func update(_ stages: String) throws -> (before: ListModel, update: ListUpdate) {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2 3"))
        let before = ListModel(tree, registry: registry)
        let steps = try tree.steps(applying: DocumentTexts.changeset(read: DocumentTexts.changeset(stages)), registry: registry)
        return (before, ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: registry)))
    }

    @Test func ifNothingMovesThePlanListsTheCellsThatTheStagesUpdate() throws {
        let cells = [(2, "row"), (0, "row"), (1, "poster")].map {
            #"{"at":[0,\#($0)],"cell":{"id":"\#($0 + 1)","type":"\#($1)","n":1}}"#
        }
        let (before, update) = try update(#"{"updateCells":[\#(cells.joined(separator: ","))]}"#)
        let plan = DiffablePlan(from: before, to: update)
        #expect(plan.reconfigure == ["1", "3"] && plan.reload == ["2"] && plan.listing()[0].items == ["1", "2", "3"])
        #expect(plan.keepsOrder)
        let (_, header) = try self.update(#"{"updateSections":[{"at":0,"header":{"type":"day"}}]}"#)
        #expect(DiffablePlan(from: before, to: header).sectionsToReload == ["a"])
    }

    @Test func ifTheAppHasChangedTheShownSnapshotAllCellsAreListed() throws {
        let (before, update) = try update(#"{"updateCells":[{"at":[0,1],"cell":{"id":"2","type":"row","n":1}}]}"#)
        let plan = DiffablePlan(from: before, to: update)
        for changed in [["1", "3"], ["1", "3", "4"], [], ["1", "2", "3", "4"]] {
            var shown = DiffableSnapshot<String, String>()
            shown.appendSections(["a"])
            shown.appendItems(changed)
            let snapshot = DiffableSnapshot(plan, shown: shown)
            #expect(snapshot.itemIdentifiers == ["1", "2", "3"] && snapshot.reconfiguredItemIdentifiers == ["2"])
        }
    }

    /// The stages that a server sends name the same cells and sections as the plan.
    @Test(arguments: Seeds.first(200))
    func thePlanListsTheCellsAndSectionsThatTheStagesUpdate(seed: UInt64) throws {
        var random = RandomSnapshots(seed: seed)
        let source = try DocumentTexts.tree(random.next(version: "v1"))
        let changeset = try source.changeset(to: DocumentTexts.tree(random.next(version: "v2")))
        var target = source
        let stages = try target.applyByStages(ChangesetTree(JSONReader.read(changeset)))
        let plan = DiffablePlan(from: ListModel(source, registry: registry), to: ListModel(target, registry: registry))
        let nothing = DiffableSnapshot<String, String>()
        let snapshot = DiffableSnapshot(plan, shown: nothing)
        #expect(plan.listing().map(\.section) == target.sections.map(\.id))
        #expect(plan.listing().map(\.items) == target.sections.map { $0.cells.map(\.id) })

        let updatedSections = stages.flatMap { step in step.stage.updateSections.map { step.snapshot.sections[$0].id } }
        #expect(snapshot.reloadedSectionIdentifiers == updatedSections)
        let updated = stages.flatMap { step in
            step.stage.updateCells.map { step.snapshot.sections[$0.place.section].cells[$0.place.item].id }
        }
        let expected = updated.filter { !updatedSections.contains(snapshot.sectionIdentifier(containingItem: $0) ?? "") }
        let marked = snapshot.reconfiguredItemIdentifiers + snapshot.reloadedItemIdentifiers
        #expect(Set(marked) == Set(expected) && marked.count == expected.count)
        let steps = stages.map { ListUpdate.Step($0, registry: registry) }
        let update = ListUpdate(kind: .stages(steps), model: ListModel(target, registry: registry))
        let shown = DiffableSnapshot(DiffablePlan(from: nil, to: ListModel(source, registry: registry)), shown: nothing)
        #expect(DiffableSnapshot(DiffablePlan(from: ListModel(source, registry: registry), to: update), shown: shown) == snapshot)
        for id in marked { #expect((type(of: id, in: source) == type(of: id, in: target)) == plan.reconfigure.contains(id)) }
    }

    private func type(of id: String, in tree: SnapshotTree) -> String? {
        tree.sections.flatMap(\.cells).first { $0.id == id }?.type
    }
}
