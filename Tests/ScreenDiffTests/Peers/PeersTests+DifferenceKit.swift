import ScreenDiff
import ScreenModel
import Testing

private struct User: Differentiable, Equatable {
    let id: Int
    var name: String

    var differenceIdentifier: Int { id }
}

/// A section type like those that users of DifferenceKit write.
private struct Team: DifferentiableSection {
    var name: String
    var elements: [User]

    var differenceIdentifier: String { name }

    init(name: String, elements: [User]) {
        self.name = name
        self.elements = elements
    }

    init<C: Swift.Collection>(source: Team, elements: C) where C.Element == User {
        self.init(name: source.name, elements: Array(elements))
    }

    func isContentEqual(to source: Team) -> Bool { true }
}

private struct Tag: Hashable, Differentiable {
    let text: String
}

private struct Compared: ContentEquatable {
    let text: String

    func isContentEqual(to source: Compared) -> Bool { text == source.text }
}

extension PeersTests {
    @Test func aHashableValueIsItsOwnDifferenceIdentifier() {
        #expect(Tag(text: "a").differenceIdentifier == Tag(text: "a"))
    }

    @Test func valuesOfAnEquatableTypeHaveEqualContentIfTheyAreEqual() {
        let user = User(id: 1, name: "a")
        #expect(user.isContentEqual(to: User(id: 1, name: "a")) && !user.isContentEqual(to: User(id: 1, name: "b")))
    }

    @Test func aDifferentiableValueReturnsItsDifferenceIdentifier() {
        func identifier<Element: Differentiable>(of element: Element) -> Element.DifferenceIdentifier { element.differenceIdentifier }
        #expect(identifier(of: User(id: 1, name: "a")) == 1)
    }

    @Test func optionalsAndArraysAreComparedByContent() {
        #expect(Optional(Compared(text: "a")).isContentEqual(to: Compared(text: "a")))
        #expect(![Compared(text: "a")].isContentEqual(to: []))
    }

    @Test func anUpdatedElementOfACustomSectionIsReported() {
        let team = Team(source: Team(name: "a", elements: []), elements: [User(id: 1, name: "b")])
        #expect(team.elements.count == 1)
        let changeset = StagedChangeset(source: [team], target: [Team(name: "a", elements: [User(id: 1, name: "c")])])
        #expect(changeset.map(\.elementUpdated) == [[ElementPath(element: 0, section: 0)]])
    }

    @Test func aTypeErasedElementHasTheContentAndTheIdentifierOfTheWrappedElement() {
        let erased = AnyDifferentiable(Tag(text: "a"))
        #expect(erased.base as? Tag == Tag(text: "a"))
        #expect(erased.isContentEqual(to: AnyDifferentiable(Tag(text: "a"))))
        #expect(erased.differenceIdentifier == AnyDifferentiable(Tag(text: "a")).differenceIdentifier)
        #expect(erased.debugDescription.contains("a"))
    }

    @Test func anArraySectionKeepsItsModelAndElements() {
        let section = ArraySection(model: "a", elements: [1, 2])
        #expect(section.model == "a" && section.elements == [1, 2])
        #expect(ArraySection(source: section, elements: [3]) == ArraySection(model: "a", elements: [3]))
        #expect(section.debugDescription == #"ArraySection(model: "a", elements: [1, 2])"#)
    }

    @Test func elementPathIsAnAliasOfCellPlace() {
        var place = CellPlace(section: 1, item: 2)
        #expect(place == ElementPath(element: 2, section: 1) && place.element == 2)
        place.element = 3
        #expect(place.item == 3)
    }
}

// Tests of created and computed changesets.
extension PeersTests {
    private var path: ElementPath { ElementPath(element: 0, section: 0) }
    private var next: ElementPath { ElementPath(element: 1, section: 0) }

    private var made: Changeset<[Int]> {
        Changeset(
            data: [1, 2], sectionDeleted: [1], sectionInserted: [2], sectionUpdated: [3], sectionMoved: [(source: 4, target: 5)],
            elementDeleted: [path, next], elementInserted: [path], elementUpdated: [path], elementMoved: [(source: path, target: next)]
        )
    }

    @Test func aComputedChangesetHasWritableDataAndAStage() {
        var changeset = StagedChangeset(source: [1, 2, 3], target: [3])[0]
        #expect(changeset.data == [3] && changeset.stage.deleteCells == [CellRun(place: path, count: 2)])
        changeset.data = [4]
        #expect(changeset.data == [4])
    }

    @Test func aChangesetWithoutOperationsHasNoChanges() {
        #expect(!Changeset(data: [1]).hasChanges)
        #expect(made.hasChanges)
    }

    @Test func aChangesetReturnsItsSectionOperations() {
        #expect(made.sectionDeleted == [1] && made.sectionInserted == [2] && made.sectionUpdated == [3])
        #expect(made.sectionMoved.map(\.source) == [4] && made.sectionMoved.map(\.target) == [5])
    }

    @Test func aChangesetReturnsItsElementOperations() {
        #expect(made.elementDeleted == [path, next] && made.elementInserted == [path] && made.elementUpdated == [path])
        #expect(made.elementMoved.map(\.source) == [path] && made.elementMoved.map(\.target) == [next])
    }

    @Test func aChangesetCountsSectionAndElementChanges() {
        #expect(made.sectionChangeCount == 4 && made.elementChangeCount == 5 && made.changeCount == 9)
        #expect(made.hasSectionChanges && made.hasElementChanges)
        #expect(!Changeset(data: [1], elementDeleted: [path]).hasSectionChanges)
        #expect(!Changeset(data: [1], sectionDeleted: [0]).hasElementChanges)
    }

    @Test func changesetsAreEqualIfTheirDataAndOperationsAreEqual() {
        #expect(made == made)
        #expect(made != Changeset(data: [1, 2]) && Changeset(data: [1]) != Changeset(data: [2]))
        #expect(StagedChangeset(source: [1, 2], target: []) == [Changeset(data: [], elementDeleted: [path, next])])
    }

    @Test func aChangesetDescriptionListsItsOperations() {
        #expect(Changeset(data: [1], elementDeleted: [path]).debugDescription == "  deleteCells [0, 0]")
    }

    @Test func aStagedChangesetIsComputedFromASourceAndATarget() {
        let changeset = StagedChangeset(source: [1, 2], target: [2])
        #expect(changeset.map(\.data) == [[2]])
        let typed: StagedChangeset<[Int]> = changeset
        #expect(typed.map(\.elementDeleted) == [[path]])
    }

    @Test func aStagedChangesetOfAFlatListUsesTheRequestedSection() {
        let changeset = StagedChangeset(source: [1], target: [], section: 3)
        #expect(changeset.map(\.elementDeleted) == [[ElementPath(element: 0, section: 3)]])
    }

    @Test func aStagedChangesetIsComputedForAContiguousArray() {
        let changeset = StagedChangeset(source: ContiguousArray([1, 2]), target: [2])
        #expect(changeset.last?.data == [2])
    }

    @Test func aStagedChangesetCreatedWithoutArgumentsIsEmpty() {
        #expect(StagedChangeset<[Int]>().isEmpty)
    }

    @Test func aStagedChangesetIsCreatedFromChangesets() {
        #expect(StagedChangeset([made, made]).count == 2)
        let literal: StagedChangeset = [made]
        #expect(literal.first == made)
    }

    @Test func aStagedChangesetIsEditedLikeAnArray() {
        var changeset: StagedChangeset = [made, made]
        changeset[1] = Changeset(data: [3])
        changeset.replaceSubrange(0..<1, with: [])
        changeset.append(made)
        #expect(changeset == [Changeset(data: [3]), made])
        #expect(changeset.index(changeset.startIndex, offsetBy: 2) == changeset.endIndex)
    }

    @Test func aStagedChangesetDescriptionListsItsStages() {
        let literal: StagedChangeset = [Changeset(data: [1], elementDeleted: [path])]
        #expect(literal.debugDescription == "1 changes in 1 stages\nstage 1 of 1\n  deleteCells [0, 0]")
    }
}

// Tests of the list views of UIKit and AppKit.
extension PeersTests {
    @MainActor private final class View: BatchUpdating {
        var isShown = true
        var calls: [String] = []

        func reloadData() { calls.append("reload") }

        func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
            calls.append("batch")
            updates()
            completion(true)
        }

        func perform(_ operation: ListOperation) { calls.append("operation") }
    }

    @MainActor @Test func aReloadSetsTheDataInsideTheBatch() {
        let view = View()
        view.reload(using: StagedChangeset(source: [1, 2], target: [2])) { _ in view.calls.append("data") }
        #expect(view.calls == ["batch", "data", "operation"])
    }

    @MainActor @Test func aReloadCallsItsCompletionOnce() {
        let view = View()
        view.reload(using: StagedChangeset(source: [1, 2], target: [2]), setData: { _ in }, completion: { view.calls.append("\($0)") })
        #expect(view.calls == ["batch", "operation", "true"])
    }

    @Test func anUpdatedElementIsReloadedUnlessItsReuseIdentifierIsKnown() {
        struct Row: Differentiable, ReuseIdentifying {
            let text: String

            var differenceIdentifier: Int { 1 }
            var reuseIdentifier: String { "row" }
            func isContentEqual(to source: Row) -> Bool { text == source.text }
        }
        let unknown = Changeset(data: [1], elementUpdated: [path])
        #expect(unknown.operations() == [.reloadCells([path])])
        let known = StagedChangeset(source: [Row(text: "")], target: [Row(text: "new")])
        #expect(known.map { $0.operations() } == [[.reconfigureCells([ElementPath(element: 0, section: 0)])]])
    }

    @MainActor @Test func anInterruptedReloadSetsTheDataAndReloadsTheView() {
        let view = View()
        view.reload(using: StagedChangeset(source: [1, 2], target: [2]), interrupt: { $0.changeCount > 0 }) { _ in view.calls.append("data")
        }
        #expect(view.calls == ["data", "reload"])
    }

    @MainActor @Test func aViewThatIsNotInAWindowReceivesTheDataAndIsReloaded() {
        let view = View()
        view.isShown = false
        view.reload(using: StagedChangeset(source: [1, 2], target: [2])) { _ in view.calls.append("data") }
        #expect(view.calls == ["data", "reload"])
    }
}
