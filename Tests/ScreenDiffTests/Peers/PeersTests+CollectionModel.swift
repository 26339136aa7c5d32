import ScreenDiff
import ScreenModel
import Testing

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#else
import Foundation
#endif

// Tests of table models.
extension PeersTests {
    private typealias Table = TableViewModel<String, Int>
    private typealias Collection = CollectionViewModel<String, Int>

    private var table: Table {
        Table(sections: [Table.Section(id: "a", header: "H", cells: [1, 2]), Table.Section(id: "b", footer: "F", cells: [3])])
    }

    @Test func aTableViewModelIsCreatedFromSectionsOrCells() {
        let section = Table.Section(id: "a", cells: [1])
        #expect(Table().isEmpty && Table(sections: [section]) == Table(section: section))
        #expect(Table(cells: [1]) == Table(section: Table.Section(cells: [1])))
        #expect(table.sections.map(\.id) == ["a", "b"])
    }

    @Test func cellsAreReadAndWrittenByIndexPath() {
        var model = table
        let place = IndexPath(item: 1, section: 0)
        #expect(model[place] == 2 && model[cellAt: place] == 2 && model.cellViewModel(at: place) == 2)
        model[place] += 1
        model[cellAt: place] += 1
        #expect(model.cellViewModel(at: place) == 4)
    }

    @Test func headersAndFootersAreReadAndWrittenBySectionIndex() {
        var model = table
        #expect(model[header: 0] == "H" && model[footer: 1] == "F")
        model[header: 1] = "new"
        model[footer: 1] = nil
        #expect(Array(model.headers) == ["H", "new"] && Array(model.footers) == [nil, nil])
    }

    @Test func aModelReturnsTheNumberOfCellsOfASection() {
        #expect(table.numberOfItemsInSection(0) == 2)
    }

    @Test func aSectionIsCreatedWithAnIdAHeaderAFooterAndCells() {
        let section = Table.Section(id: "a", header: "H", footer: "F", cells: [1])
        #expect(section.id == "a" && section.header == "H" && section.footer == "F")
        #expect(section.cells == [1] && section.elements == [1])
        #expect(Table.Section().id == "")
    }

    @Test func modelsAndSectionsAreEditedLikeArrays() {
        var model = table
        model[0].replaceSubrange(0..<1, with: [7, 8])
        model.append(Table.Section(id: "c", cells: []))
        model.swapAt(0, 2)
        #expect(model.map(\.id) == ["c", "b", "a"] && model[2].cells == [7, 8, 2])
    }

    @Test func modelsAndSectionsAreComparedByContent() {
        #expect(Set([table, table]).count == 1 && Set(table).count == 2)
        #expect(table[0].isContentEqual(to: table[0]) && table[0].differenceIdentifier == "a")
        #expect(Table.Section(id: "a", cells: [1]).isContentEqual(to: Table.Section(id: "b", cells: [2])))
        var other = table
        other[0][0] = 9
        #expect(table.isContentEqual(to: table) && !table.isContentEqual(to: other))
        #expect(table.differenceIdentifier == other.differenceIdentifier)
        #expect(!Collection(cells: [1]).isContentEqual(to: Collection(cells: [2])))
    }

    @Test func stringsAndTheUninhabitedTypeAreDifferentiable() {
        #expect("a".differenceIdentifier == "a" && "a".isContentEqual(to: "a"))
        #expect(TableViewModel<Never, Never>().changeset(to: TableViewModel()).isEmpty)
    }

    @Test func dictionariesAreComparedByContent() {
        #expect(["a": 1].isContentEqual(to: ["a": 1]) && !["a": 1].isContentEqual(to: ["b": 1]))
    }
}

// Tests of collection models.
extension PeersTests {
    private var collection: Collection {
        Collection(sections: [
            Collection.Section(
                id: "a", header: "H", footer: "F",
                supplementaryViews: [SupplementaryViewSectionKey(row: 1, kind: "badge"): "new"], cells: [1, 2]
            )
        ])
    }

    @Test func aCollectionViewModelReturnsItsCellsByIndexPath() {
        #expect(collection[0].cells == [1, 2] && Collection(cells: [1]).count == 1)
        #expect(collection.cellViewModel(at: IndexPath(item: 0, section: 0)) == 1)
    }

    @Test func aHeaderOrFooterIsFoundByUIKitKindAndSection() {
        #expect(collection.headerOrFooterViewModel(forKind: "UICollectionElementKindSectionHeader", inSection: 0) == "H")
        #expect(collection.headerOrFooterViewModel(forKind: "UICollectionElementKindSectionFooter", inSection: 0) == "F")
        #expect(collection.headerOrFooterViewModel(forKind: "badge", inSection: 0) == nil)
        #expect(collection.headerOrFooterViewModel(forKind: "UICollectionElementKindSectionHeader", inSection: 1) == nil)
    }

    @Test func supplementaryViewsAreReadAndWrittenByKey() {
        var model = collection
        let key = SupplementaryViewKey(indexPath: IndexPath(item: 1, section: 0), kind: "badge")
        #expect(model.supplementaryViewModel(for: key) == "new" && model[supplementaryViewFor: key] == "new")
        model[supplementaryViewFor: key] = "old"
        #expect(model.supplementaryViewModel(for: key) == "old")
    }

    @Test func aSupplementaryViewKeyIsConvertedToASectionKey() {
        let key = SupplementaryViewKey(indexPath: IndexPath(item: 1, section: 0), kind: "badge")
        #expect(key.sectionKey == SupplementaryViewSectionKey(row: 1, kind: "badge"))
        #expect(key.sectionKey.row == 1 && Set([key, key]).count == 1)
    }

    @Test func aSectionsSupplementaryViewsAreReadAndWritten() {
        var section = collection[0]
        let key = SupplementaryViewSectionKey(row: 1, kind: "badge")
        #expect(section.supplementaryViewModels == [key: "new"] && section.supplementaryViews == [key: "new"])
        section.supplementaryViewModels[key] = "old"
        #expect(section[key] == "old")
    }

    @Test func theSectionViewModelTypesAreAliasesOfTheSectionTypes() {
        #expect(TableViewSectionViewModel<String, Int>(id: "a", cells: [1]) == Table.Section(id: "a", cells: [1]))
        #expect(CollectionViewSectionViewModel<String, Int>(cells: [1]) == Collection.Section(cells: [1]))
    }

    @Test func aSectionIsCreatedWithItsSupplementaryViewsAndCells() {
        let views = [SupplementaryViewSectionKey(row: 1, kind: "badge"): "new"]
        let section = Collection.Section(id: "a", supplementaryViewModels: views, header: "H", footer: "F", cells: [1, 2])
        #expect(section == collection[0])
    }

    @Test func aSectionWithSupplementaryViewsIsCreatedFromABuilderOrFromEntities() {
        let views = [SupplementaryViewSectionKey(row: 1, kind: "badge"): "new"]
        let built = Collection.Section(id: "a", header: "H", footer: "F", supplementaryViewModels: views) {
            1
            2
        }
        #expect(built == collection[0])
        let made = Collection.Section(entities: ["1", "2"], id: "a", header: "H", footer: "F", supplementaryViewModels: views) { text in
            Int(text)
        }
        #expect(made == collection[0])
    }
}

// Tests of result builders.
extension PeersTests {
    @Test(arguments: [true, false]) func buildersAcceptValuesAndCollectionsAndConditions(isLong: Bool) {
        let section = Table.Section(id: "a") {
            1
            [2, 3]
            Set([4])
            if isLong { 5 }
            if isLong { 6 } else { 7 }
        }
        #expect(section.cells == (isLong ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 7]))
        let model = Table {
            section
            if isLong { [section] }
        }
        #expect(model.count == (isLong ? 2 : 1))
    }

    @Test func buildersCreateASectionOrCellsForEachEntity() {
        let model = Collection(entities: ["a", "b"]) { id in
            Collection.Section(id: id, entities: 1...2) { number in
                number
                if number == 2 { [3, 4] }
            }
        }
        #expect(model.map(\.id) == ["a", "b"] && model[1].cells == [1, 2, 3, 4])
    }

    @Test func theInitializerOfASectionTakesEntitiesBeforeTheIdAndTheViews() {
        let section = Table.Section(entities: ["1", "2"], id: "a", header: "H", footer: "F", cellsBuilder: { Int($0) })
        #expect(section == Table.Section(id: "a", header: "H", footer: "F", cells: [1, 2]))
        #expect(Collection.Section(entities: [1, 2], id: "a", cellsBuilder: { $0 }) == Collection.Section(id: "a", cells: [1, 2]))
    }

    @Test func builderClosuresHaveTheArgumentLabelsSectionBuilderAndCellsBuilder() {
        let section = Table.Section(id: "a", header: "H", cellsBuilder: { [1, 2] })
        #expect(section == Table.Section(id: "a", header: "H", cells: [1, 2]))
        #expect(Table(sectionBuilder: { section }) == Table(section: section))
        #expect(Collection(entities: ["a", "b"], sectionBuilder: { Collection.Section(id: $0, cells: []) }).map(\.id) == ["a", "b"])
    }
}
