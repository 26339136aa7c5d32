import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

@Suite struct StagedChangesets {
    let source = [TestCell(id: 1), TestCell(id: 2), TestCell(id: 3)]
    let target = [TestCell(id: 3, content: 1), TestCell(id: 1), TestCell(id: 4)]

    @Test func theDataOfTheLastStageEqualsTheTarget() {
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.last?.data == target)
        #expect(changeset.count == 2)
        #expect(changeset[0].data == [TestCell(id: 1), TestCell(id: 2), TestCell(id: 3, content: 1)])
    }

    @Test func theChangesOfAllStagesAreCounted() {
        // There are one update, one delete, one insert and one move.
        #expect(StagedChangeset(source: source, target: target).changeCount == 4)
    }

    @Test func allPlacesInAChangesetOfAFlatListAreInTheGivenSection() throws {
        let changeset = StagedChangeset(source: source, target: target, section: 4)
        let places = changeset.flatMap { $0.elementDeleted + $0.elementInserted + $0.elementUpdated }
        #expect(places.map(\.section) == [4, 4, 4])
        #expect(changeset[1].elementMoved.map(\.target.section) == [4])
        #expect(try source.applying(changeset) == target)
        #expect(changeset.map(\.data).last == target)
    }

    @Test func theErrorForAFlatListContainsThePlaceOfTheCellInTheView() {
        let changeset = StagedChangeset(source: source, target: [], section: .max)
        #expect(throws: StageMisfit.self) { try [TestCell(id: 1)].applying(changeset) }
        do {
            _ = try [TestCell(id: 1)].applying(changeset)
        } catch {
            #expect(error.place == .cell(CellPlace(section: .max, item: 1)))
        }
    }

    @Test func theErrorForASectionOperationOnAFlatListContainsTheSectionIndexInTheView() {
        let first = ElementPath(element: 0, section: 4)
        let made = Changeset(data: [source[1], source[2]], sectionDeleted: [7], elementDeleted: [first])
        let misfit = #expect(throws: StageMisfit.self) { try source.applying([made]) }
        #expect(misfit?.place == .section(7))
        #expect(throws: Never.self) { try source.applying([Changeset(data: [], sectionDeleted: [4], elementDeleted: [first])]) }
    }

    @Test func applyingAnInvalidManuallyCreatedChangesetToAFlatListDoesNotCrash() throws {
        let place = ElementPath(element: .max, section: .min)
        let made: [Changeset<[TestCell]>] = [
            Changeset(data: [], sectionDeleted: [0]), Changeset(data: target, sectionInserted: [0, 1]),
            Changeset(data: target, sectionMoved: [(source: 0, target: 9)]),
            Changeset(data: target, elementDeleted: [place]), Changeset(data: target, elementUpdated: [place]),
            Changeset(data: [], elementInserted: [ElementPath(element: 0, section: 0)]),
            Changeset(data: target, elementMoved: [(source: place, target: ElementPath(element: 0, section: 3))]),
        ]
        for changeset in made { _ = try? source.applying([changeset]) }
        #expect(try source.applying([made[0]]) == [])
        #expect(throws: StageMisfit.self) { try source.applying([made[3]]) }
    }

    @Test func applyingAManuallyCreatedChangesetInsertsElementsFromItsData() throws {
        let sections = [ArraySection(model: "a", elements: [1, 2])]
        let after = [ArraySection(model: "b", elements: [5]), ArraySection(model: "a", elements: [2, 9])]
        let changeset: StagedChangeset = [
            Changeset(
                data: [ArraySection(model: "a", elements: [2, 9])], elementDeleted: [ElementPath(element: 0, section: 0)],
                elementInserted: [ElementPath(element: 1, section: 0)]
            ),
            Changeset(data: after, sectionInserted: [0]),
        ]
        #expect(try sections.applying(changeset) == after)
    }

    @Test func applyingAManuallyCreatedChangesetInsertsSectionsWithAllTheirElements() throws {
        var changeset = Changeset(data: [ArraySection(model: "a", elements: [1])], sectionInserted: [0])
        changeset.data = [ArraySection(model: "a", elements: [1, 2])]
        #expect(try [].applying([changeset]) == changeset.data)
        changeset.data = []
        #expect(throws: StageMisfit.self) { try [].applying([changeset]) }
    }

    @Test func aManuallyCreatedUpdateReadsTheContentAtTheFinalPlaceOfTheCell() throws {
        let shorter = [TestCell(id: 2, content: 1), TestCell(id: 3)]
        let second = ElementPath(element: 1, section: 0)
        let first = ElementPath(element: 0, section: 0)
        #expect(try source.applying([Changeset(data: shorter, elementDeleted: [first], elementUpdated: [second])]) == shorter)
        let longer = [TestCell(id: 9), TestCell(id: 1), TestCell(id: 2, content: 1), TestCell(id: 3)]
        #expect(try source.applying([Changeset(data: longer, elementInserted: [first], elementUpdated: [second])]) == longer)
        let moved = [TestCell(id: 2, content: 1), TestCell(id: 3), TestCell(id: 1)]
        let toTheEnd = (source: first, target: ElementPath(element: 2, section: 0))
        #expect(try source.applying([Changeset(data: moved, elementUpdated: [second], elementMoved: [toTheEnd])]) == moved)
    }

    @Test func aManuallyCreatedChangesetAcceptsPlacesInAnyOrder() throws {
        func paths(_ items: Int...) -> [ElementPath] { items.map { ElementPath(element: $0, section: 0) } }
        let target = [TestCell(id: 8), TestCell(id: 2), TestCell(id: 9)]
        let made = Changeset(data: target, elementDeleted: paths(2, 0), elementInserted: paths(2, 0))
        #expect(try source.applying([made]) == target)
        #expect(made == Changeset(data: target, elementDeleted: paths(0, 2), elementInserted: paths(0, 2)))
        let turned = [source[2], source[0], source[1]]
        let moves = zip(paths(1, 0, 2), paths(2, 1, 0)).map { (source: $0, target: $1) }
        #expect(try source.applying([Changeset(data: turned, elementMoved: moves)]) == turned)
        #expect(Changeset(data: turned, elementMoved: moves) == Changeset(data: turned, elementMoved: moves.reversed()))
        let updated = source.map { TestCell(id: $0.id, content: 1) }
        #expect(try source.applying([Changeset(data: updated, elementUpdated: paths(2, 0, 1))]) == updated)
        #expect(
            Changeset(data: updated, elementUpdated: paths(2, 0, 1)) == Changeset(data: updated, elementUpdated: paths(0, 1, 2))
        )
        let sections = ["a", "b", "c"].map { ArraySection(model: $0, elements: [$0 + "1", $0 + "2"]) }
        let others = ["d", "b", "e"].map { ArraySection(model: $0, elements: [$0 + "1", $0 + "2"]) }
        let changed = [
            Changeset(data: [others[1]], sectionDeleted: [2, 0]), Changeset(data: others, sectionInserted: [2, 0]),
        ]
        #expect(try sections.applying(StagedChangeset(changed)) == others)
    }

    @Test func aManuallyCreatedUpdateOfACellIsAppliedEvenIfTheIndexOfItsSectionChanges() throws {
        typealias Section = ArraySection<TestCell, TestCell>
        func section(_ id: Int, content: Int = 0, cell: Int = 0) -> Section {
            Section(model: TestCell(id: id, content: content), elements: [TestCell(id: 10 * id), TestCell(id: 10 * id + 1, content: cell)])
        }
        let source = [section(1), section(2), section(3)]
        let cell = ElementPath(element: 1, section: 1)
        let deleted = [section(2, content: 1, cell: 1), section(3)]
        let inserted = [section(7), section(1), section(2, content: 1, cell: 1), section(3)]
        let moved = [section(2, content: 1, cell: 1), section(3), section(1)]
        let made = [
            Changeset(data: deleted, sectionDeleted: [0], sectionUpdated: [1], elementUpdated: [cell]),
            Changeset(data: inserted, sectionInserted: [0], sectionUpdated: [1], elementUpdated: [cell]),
            Changeset(data: moved, sectionUpdated: [1], sectionMoved: [(source: 0, target: 2)], elementUpdated: [cell]),
        ]
        for changeset in made { #expect(try source.applying([changeset]) == changeset.data) }
    }

    @Test func aManuallyCreatedChangesetThatChangesOnePlaceTwiceIsRejected() {
        let first = ElementPath(element: 0, section: 0)
        let made = [
            Changeset(data: [source[1], source[2]], elementDeleted: [first], elementUpdated: [first]),
            Changeset(
                data: [source[1], source[2], source[0]], elementUpdated: [first],
                elementMoved: [(source: first, target: ElementPath(element: 2, section: 0))]
            ),
        ]
        for changeset in made { #expect(throws: StageMisfit.self) { try source.applying([changeset]) } }
    }

    @Test(arguments: Seeds.first(20)) func applyingAComputedChangesetIgnoresDataThatWasSetLater(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed, size: 40)
        for _ in 0..<20 {
            let (source, target) = pairs.next()
            var changeset = source.changeset(to: target)
            for stage in changeset.indices { changeset[stage].data = source }
            #expect(changeset.allSatisfy { $0.data == source })
            #expect(try source.applying(changeset) == target, "RELIST_SEED=\(seed)")
        }
    }

    @Test func aComputedChangesetEqualsAManuallyCreatedChangesetWithTheSameOperations() {
        let cell = ElementPath(element: 2, section: 0)
        let found = StagedChangeset(source: source, target: Array(target.prefix(1)))
        let updated = Changeset(data: [TestCell(id: 1), TestCell(id: 2), target[0]], elementUpdated: [cell])
        let gone = [ElementPath(element: 0, section: 0), ElementPath(element: 1, section: 0)]
        #expect(found == [updated, Changeset(data: [target[0]], elementDeleted: gone)])
        #expect(found != [updated, Changeset(data: [target[0]], elementDeleted: [gone[0]])])
        let sections = StagedChangeset(source: TestModel(["a": [1]]), target: TestModel(["b": [2, 1]]))
        let inserted = Changeset(data: sections[0].data, sectionInserted: [0])
        let moved = Changeset(
            data: sections[1].data,
            elementMoved: [(source: ElementPath(element: 0, section: 1), target: ElementPath(element: 1, section: 0))])
        #expect(sections == [inserted, moved, Changeset(data: sections[2].data, sectionDeleted: [1])])
    }

    @Test func theDescriptionOfAStagedChangesetListsItsStagesAndTheirOperations() {
        let changeset = StagedChangeset(source: source, target: target)
        #expect(
            changeset.debugDescription == """
                4 changes in 2 stages
                stage 1 of 2
                  updateCells [0, 2]
                stage 2 of 2
                  deleteCells [0, 1]
                  insertCells [0, 2]
                  moveCells [0, 0]→[0, 1]
                """
        )
    }

    @Test func changesetsOfSendableListsAreSendable() {
        func take(_ value: some Sendable) {}
        let changeset = StagedChangeset(source: source, target: target)
        take(changeset)
        take(changeset[0])
    }
}
