import Foundation
import ScreenModel
import Testing

/// Tests of collection models, whose sections have supplementary views in addition to a header and a footer.
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

    @Test mutating func aCollectionSectionIsCreatedWithItsViewsAndCells() {
        let section = Section(
            id: "a", header: "H", footer: "F", supplementaryViews: [badge: "new"], cells: [1, 2]
        )
        #expect(model[0] == section)
        #expect(section.supplementaryViews == [badge: "new"])
        #expect(model[header: 0] == "H" && model[footer: 0] == "F")
        #expect(model[1].supplementaryViews.isEmpty)
        #expect(Section() == Section(id: "", supplementaryViews: [:], cells: []))
    }

    @Test mutating func aSupplementaryViewIsFoundByItsKindAndIndexPath() {
        #expect(model[supplementaryView: "badge", at: [0, 1]] == "new")
        #expect(model[supplementaryView: "badge", at: [0, 0]] == nil)
        #expect(model[supplementaryView: "price", at: [0, 1]] == nil)
        #expect(model[supplementaryView: "badge", at: [1, 1]] == nil)
    }

    @Test mutating func theSupplementaryViewAtAnIndexPathOutOfBoundsIsNil() {
        for path in [[2, 1], [0, 9], IndexPath(), [0], [0, 1, 0]] { #expect(model[supplementaryView: "badge", at: path] == nil) }
        #expect(CollectionViewModel<Never, Int>(cells: [1])[supplementaryView: "badge", at: [0, 0]] == nil)
    }

    @Test(arguments: [-1, 2, Int.max]) mutating func aSectionOutOfBoundsHasNoHeaderOrFooter(section: Int) {
        for end in ["Header", "Footer"] {
            #expect(model.headerOrFooterViewModel(forKind: "UICollectionElementKindSection\(end)", inSection: section) == nil)
        }
    }

    @Test mutating func aSupplementaryViewIsSetAndRemovedByItsKindAndIndexPath() {
        model[supplementaryView: "badge", at: [1, 0]] = "explicit"
        model[supplementaryView: "badge", at: [0, 1]]? += "!"
        #expect(model[1].supplementaryViews == [SupplementaryViewSectionKey(kind: "badge", item: 0): "explicit"])
        #expect(model[0][badge] == "new!")
        model[supplementaryView: "badge", at: [0, 1]] = nil
        #expect(model[0].supplementaryViews.isEmpty)
        model[1][badge] = "b"
        #expect(model[supplementaryView: "badge", at: [1, 1]] == "b")
    }

    @Test mutating func changingCellsInPlaceDoesNotMoveSupplementaryViews() {
        model[[0, 1]] = 9
        model[1].append(4)
        #expect(model.map(\.cells) == [[1, 9], [3, 4]])
        #expect(model[0][badge] == "new")
    }

    @Test mutating func equalCollectionModelsHaveEqualHashes() {
        var other = model
        other[0][badge] = "old"
        #expect(Set([model, model, other]).count == 2)
    }

    @Test func aSupplementaryViewIsPlacedByTheIdOfItsCell() {
        let views = ["a", "c", "gone"].map { (SupplementaryViewCellKey(kind: "badge", cell: $0), "of \($0)") }
        let cells = ["b", "c", "a", "a"].map { DeliveryCell(id: $0) }
        let section = CollectionViewSection<String, DeliveryCell>(
            id: "s", header: "H", supplementaryViews: Dictionary(uniqueKeysWithValues: views)
        ) { cells }
        #expect(section.header == "H" && section.map(\.id) == ["b", "c", "a", "a"])
        let places = [2: "of a", 1: "of c"].map { (SupplementaryViewSectionKey(kind: "badge", item: $0), $1) }
        #expect(section.supplementaryViews == Dictionary(uniqueKeysWithValues: places))
    }

    @Test func supplementaryViewKeysAreOrderedByItemAndThenByKind() {
        let keys = [("b", 1), ("z", 0), ("a", 1), ("\u{212A}", 0)].map(SupplementaryViewSectionKey.init)
        #expect(keys.sorted().map(\.kind) == ["z", "\u{212A}", "a", "b"])
    }
}
