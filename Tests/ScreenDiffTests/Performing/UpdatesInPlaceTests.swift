import ScreenDiff
import ScreenModel
import Testing

/// Tests that a view is updated in place only if its type stays the same.
@Suite struct UpdatesOfViews {
    struct Row: Hashable, Differentiable, ReuseIdentifying {
        let id: Int
        var text = ""
        var reuseIdentifier = "row"

        var differenceIdentifier: Int { id }
    }

    private func place(_ section: Int, _ item: Int) -> CellPlace { CellPlace(section: section, item: item) }

    @Test func aCellThatKeepsItsTypeIsReconfiguredAndACellThatChangesItsTypeIsReloaded() {
        let source = [Row(id: 1), Row(id: 2), Row(id: 3)]
        let target = [Row(id: 2, text: "new"), Row(id: 3), Row(id: 1, reuseIdentifier: "title")]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset[0].operations() == [.reconfigureCells([place(0, 1)]), .reloadCells([place(0, 0)])])
    }

    @Test func cellTypesAreComparedIfAFlatListIsNotShownInTheFirstSection() {
        let changeset = StagedChangeset(source: [Row(id: 1)], target: [Row(id: 1, text: "new")], section: 2)
        #expect(changeset.map { $0.operations() } == [[.reconfigureCells([place(2, 0)])]])
    }

    @Test func theTypesOfCellsInSectionsAreCompared() {
        typealias Section = ArraySection<Int, Row>
        let source = [Section(model: 1, elements: [Row(id: 1)]), Section(model: 2, elements: [Row(id: 2), Row(id: 3)])]
        let target = [
            Section(model: 2, elements: [Row(id: 3, text: "new")]), Section(model: 1, elements: [Row(id: 1, reuseIdentifier: "title")]),
        ]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset[0].operations() == [.reconfigureCells([place(1, 1)]), .reloadCells([place(0, 0)])])
    }

    @Test func cellsOfAnUnknownTypeAreReloaded() {
        struct Plain: Hashable, Differentiable {
            let id: Int
            let text: String

            var differenceIdentifier: Int { id }
        }
        let changeset = StagedChangeset(source: [Plain(id: 1, text: "")], target: [Plain(id: 1, text: "new")])
        #expect(changeset.map { $0.operations() } == [[.reloadCells([place(0, 0)])]])
        let made = Changeset(data: [Row(id: 1)], elementUpdated: [place(0, 0)])
        #expect(made.operations() == [.reloadCells([place(0, 0)])])
    }

    @Test func aCellWhoseUpdateIsAddedToAComputedStageIsReloaded() {
        var changeset = StagedChangeset(source: [Row(id: 1)], target: [Row(id: 1, text: "new")])
        changeset[0].stage.updateCells.append(CellUpdate(place: place(0, 9), target: place(7, -1)))
        #expect(changeset[0].operations() == [.reconfigureCells([place(0, 0)]), .reloadCells([place(0, 9)])])
    }

    // The header, the footer and the supplementary views of a section.

    struct Head: Hashable, ContentEquatable, ReuseIdentifying {
        var text = ""
        var reuseIdentifier = "head"
    }

    private func operations(_ old: (Head?, Head?), _ new: (Head?, Head?)) -> [ListOperation] {
        typealias Model = TableViewModel<Head, Row>
        // The section moves before its views are updated, so the section before the last stage is compared.
        let source = Model(sections: [.init(id: "a", header: old.0, footer: old.1, cells: []), .init(id: "b", cells: [])])
        let target = Model(sections: [.init(id: "b", cells: []), .init(id: "a", header: new.0, footer: new.1, cells: [])])
        return source.changeset(to: target).last?.operations() ?? []
    }

    @Test func viewsThatKeepTheirTypesAreUpdatedInPlace() {
        #expect(operations((Head(), nil), (Head(text: "new"), nil)) == [.updateSections([1])])
        #expect(operations((nil, Head()), (nil, Head(text: "new"))) == [.updateSections([1])])
    }

    @Test func aSectionIsReloadedIfAViewAppearsDisappearsOrChangesItsType() {
        #expect(operations((nil, nil), (Head(), nil)) == [.reloadSections([1])])
        #expect(operations((Head(), Head()), (Head(), nil)) == [.reloadSections([1])])
        #expect(operations((Head(), nil), (nil, Head())) == [.reloadSections([1])])
        #expect(operations((Head(), nil), (Head(reuseIdentifier: "banner"), nil)) == [.reloadSections([1])])
    }

    @Test func aSectionWhoseViewsHaveUnknownTypesIsReloaded() {
        let source = TableViewModel<String, Row>(section: .init(id: "a", header: "old", cells: []))
        let target = TableViewModel<String, Row>(section: .init(id: "a", header: "new", cells: []))
        #expect(source.changeset(to: target).map { $0.operations() } == [[.reloadSections([0])]])
    }

    @Test func supplementaryViewsAreComparedWithTheOldViewsOfTheirCells() {
        typealias Model = CollectionViewModel<Head, Row>
        func model(_ ids: [Int], badges: [Int: Head]) -> Model {
            var section = Model.Section(id: "a", cells: ids.map { Row(id: $0) })
            for (item, badge) in badges { section[SupplementaryViewSectionKey(kind: "badge", item: item)] = badge }
            return Model(section: section)
        }
        func last(_ source: Model, _ target: Model) -> [ListOperation] { source.changeset(to: target).last?.operations() ?? [] }
        let source = model([1, 2], badges: [1: Head()])
        // The badge moves with its cell, and its content changes.
        #expect(last(source, model([2, 1], badges: [0: Head(text: "new")])) == [.updateSections([0])])
        #expect(last(source, model([1, 2], badges: [1: Head(reuseIdentifier: "star")])) == [.reloadSections([0])])
        #expect(last(source, model([1, 2], badges: [:])) == [.reloadSections([0])])
        #expect(last(source, model([1, 2], badges: [0: Head(), 1: Head()])) == [.reloadSections([0])])
        // The badge has disappeared with its cell.
        #expect(last(source, model([1], badges: [:])) == [.updateSections([0])])
    }
}
