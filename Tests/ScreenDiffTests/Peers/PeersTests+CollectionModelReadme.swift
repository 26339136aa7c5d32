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

// The examples of CollectionModel's README and of its example app, with other content.

private struct SiloCell {
    let title: String
}

extension SiloCell: ExpressibleByStringLiteral {
    init(stringLiteral value: String) {
        title = value
    }
}

private enum MixedCell {
    case silo(SiloCell)
    case weight(Int)
}

private struct AnimatedCell: Hashable, Differentiable {
    typealias DifferenceIdentifier = UUID

    var differenceIdentifier: UUID { id }

    let id: UUID
    let title: String
}

/// A data source whose functions have no parameter for the table view.
private final class TableDataSource {
    typealias ViewModel = TableViewModel<Never, SiloCell>

    var viewModel = ViewModel()

    func numberOfSections() -> Int {
        viewModel.sections.count
    }

    func numberOfRows(inSection section: Int) -> Int {
        viewModel[section].cells.count
    }

    func title(forRowAt indexPath: IndexPath) -> String {
        viewModel[indexPath].title
    }
}

private final class CollectionDataSource {
    typealias ViewModel = CollectionViewModel<String, MixedCell>

    var viewModel = ViewModel {
        ViewModel.Section(header: "Silos", footer: "2 silos") {
            MixedCell.silo("North")
            MixedCell.weight(30)
        }
        ViewModel.Section(footer: "1 silo", cells: [.silo("South")])
    }

    func numberOfItems(inSection section: Int) -> Int {
        viewModel[section].cells.count
    }

    func title(forItemAt indexPath: IndexPath) -> String {
        switch viewModel.cellViewModel(at: indexPath) {
        case .silo(let cellViewModel): return cellViewModel.title
        case .weight(let weight): return "\(weight) t"
        }
    }

    func hasHeader(inSection section: Int) -> Bool {
        viewModel.headers[section] != nil
    }
}

private final class AnimatedDataSource {
    typealias ViewModel = TableViewModel<Never, AnimatedCell>

    var viewModel = ViewModel(
        cells: [
            AnimatedCell(id: UUID(), title: "North"),
            AnimatedCell(id: UUID(), title: "South"),
        ]
    )

    func delete(at indexPath: IndexPath) -> StagedChangeset<ViewModel> {
        var updatedViewModel = viewModel
        updatedViewModel.sections[indexPath.section].cells.remove(at: indexPath.item)
        return StagedChangeset<ViewModel>(source: viewModel, target: updatedViewModel)
    }

    func append(_ title: String) -> StagedChangeset<ViewModel> {
        var extendedViewModel = viewModel
        extendedViewModel.sections[0]
            .append(AnimatedCell(id: UUID(), title: title))
        return StagedChangeset<ViewModel>(source: viewModel, target: extendedViewModel)
    }
}

extension PeersTests {
    @Test func theDataSourcesInTheCollectionModelReadmeReturnTheirCells() {
        let table = TableDataSource()
        #expect(table.numberOfSections() == 0)
        table.viewModel = TableDataSource.ViewModel(cells: ["North", "South", SiloCell(title: "West")])
        #expect(table.numberOfSections() == 1 && table.numberOfRows(inSection: 0) == 3)
        #expect(table.title(forRowAt: IndexPath(item: 2, section: 0)) == "West")

        let collection = CollectionDataSource()
        #expect(collection.numberOfItems(inSection: 0) == 2)
        #expect(collection.title(forItemAt: IndexPath(item: 1, section: 0)) == "30 t")
        #expect(collection.hasHeader(inSection: 0) && !collection.hasHeader(inSection: 1))
    }

    @Test(arguments: [true, false]) func theBuilderExamplesInTheCollectionModelReadmeCreateCells(condition: Bool) {
        typealias Section = TableViewModel<Never, String>.Section
        let (cell1, cell2, cell3, cell4) = ("1", "2", "3", "4")
        let declared = Section {
            cell1
            if condition {
                [
                    cell2,
                    cell3,
                ]
            } else {
                cell4
            }
        }
        #expect(declared.cells == (condition ? ["1", "2", "3"] : ["1", "4"]))

        let entities = ["a", "b"]
        let single = Section(entities: entities) { entity in
            entity + cell1
        }
        #expect(single.cells == ["a1", "b1"])
        let several = Section(entities: entities) { entity in
            entity + cell1
            if condition {
                [
                    entity + cell2,
                    entity + cell3,
                ]
            } else {
                entity
            }
        }
        #expect(several.cells == (condition ? ["a1", "a2", "a3", "b1", "b2", "b3"] : ["a1", "a", "b1", "b"]))
    }

    @Test func anAnimatedDataSourceOfCollectionModelDeletesAndAppendsACell() {
        let dataSource = AnimatedDataSource()
        let deleted = dataSource.delete(at: IndexPath(item: 0, section: 0))
        #expect(deleted.map(\.elementDeleted) == [[ElementPath(element: 0, section: 0)]])
        let appended = dataSource.append("West")
        #expect(appended.last?.data[0].map(\.title) == ["North", "South", "West"])
    }
}
