import FoundationEssentials
import ScreenModel
import Testing

/// A collection's sections have supplementary views beside header and footer.
struct CollectionViewModelTests {
    typealias Model = CollectionViewModel<String, Int>
    typealias Section = Model.Section

    let badge = SupplementaryViewSectionKey(kind: "badge", item: 1)
    lazy var model = Model {
        Section(id: "a", header: "H", footer: "F", supplementaryViews: [badge: "new"]) {
            1
            2
        }
        Section(id: "b", cells: [3])
    }

    @Test mutating func aSectionHoldsWhatItWasGiven() {
        let section = Section(
            id: "a", header: "H", footer: "F", supplementaryViews: [badge: "new"], cells: [1, 2]
        )
        #expect(model[0] == section)
        #expect(section.supplementaryViews == [badge: "new"])
        #expect(model[1].supplementaryViews.isEmpty)
        #expect(Section() == Section(id: "", supplementaryViews: [:], cells: []))
    }

    @Test mutating func headerAndFooterAreNoSupplementaryViews() {
        #expect(model[header: 0] == "H")
        #expect(model[footer: 0] == "F")
        #expect(model[0].supplementaryViews.count == 1)
    }

    @Test mutating func aViewIsReadByKindAndIndexPath() {
        #expect(model[supplementaryView: "badge", at: [0, 1]] == "new")
        #expect(model[supplementaryView: "badge", at: [0, 0]] == nil)
        #expect(model[supplementaryView: "price", at: [0, 1]] == nil)
        #expect(model[supplementaryView: "badge", at: [1, 1]] == nil)
    }

    @Test mutating func outOfRangeThereIsNoView() {
        #expect(model[supplementaryView: "badge", at: [2, 1]] == nil)
        #expect(model[supplementaryView: "badge", at: [0, 9]] == nil)
        #expect(Model()[supplementaryView: "badge", at: [0, 0]] == nil)
        for path in [IndexPath(), [0], [0, 1, 0]] { #expect(model[supplementaryView: "badge", at: path] == nil) }
    }

    @Test(arguments: [-1, 2, Int.max]) mutating func aSectionThatIsNotThereHasNoHeaderOrFooter(section: Int) {
        for end in ["Header", "Footer"] {
            #expect(model.headerOrFooterViewModel(forKind: "UICollectionElementKindSection\(end)", inSection: section) == nil)
        }
    }

    @Test mutating func aViewIsChangedByKindAndIndexPath() {
        model[supplementaryView: "badge", at: IndexPath(item: 0, section: 1)] = "explicit"
        model[supplementaryView: "badge", at: [0, 1]]? += "!"
        #expect(model[1].supplementaryViews == [SupplementaryViewSectionKey(kind: "badge", item: 0): "explicit"])
        #expect(model[0][badge] == "new!")
        model[supplementaryView: "badge", at: [0, 1]] = nil
        #expect(model[0].supplementaryViews.isEmpty)
    }

    @Test mutating func aSectionReadsAndChangesViewsByKey() {
        #expect(model[0][badge] == "new")
        #expect(model[1][badge] == nil)
        model[1][badge] = "b"
        model[0][badge] = nil
        #expect(model[supplementaryView: "badge", at: [1, 1]] == "b")
        #expect(model[0][badge] == nil)
    }

    @Test mutating func cellsAreReachedAsInATable() {
        model[[0, 1]] = 9
        model[1].append(4)
        #expect(model.map(\.cells) == [[1, 9], [3, 4]])
        #expect(model[0][badge] == "new")
    }

    @Test mutating func equalModelsHashAlike() {
        var other = model
        other[0][badge] = "old"
        #expect(Set([model, model, other]).count == 2)
        #expect(Model(cells: [1]) == Model(section: Section(id: "", cells: [1])))
    }

    @Test func aModelWithoutSupplementaryViewsIsOfNever() {
        let model = CollectionViewModel<Never, Int>(cells: [1])
        #expect(model[supplementaryView: "badge", at: [0, 0]] == nil)
        #expect(Array(model.footers) == [nil])
    }

    @Test func keysAreOrderedByItemThenKind() {
        let keys = [("b", 1), ("z", 0), ("a", 1), ("\u{212A}", 0)].map(SupplementaryViewSectionKey.init)
        #expect(keys.sorted().map(\.kind) == ["z", "\u{212A}", "a", "b"])
    }
}
