import ScreenDiff
import ScreenModel
import SeededRandom
import Testing

@testable import ScreenService

/// Tests that the typed differ, which apps use, finds the same updates as the differ of outlines.
@Suite struct TypedDiffs {
    @Test(arguments: Seeds.first(20)) func theTypedDifferAndTheDifferOfOutlinesFindTheSameUpdates(seed: UInt64) {
        var lists = SeededLists(seed: seed, sections: 5, rowsAtOnce: 5)
        var source = lists.next()
        for _ in 0..<50 {
            let target = lists.next()
            let typed = source.erased.changeset(to: target.erased).stages
            let rendered = target.renderedCollection().outline.stages(from: source.renderedCollection().outline)
            #expect(typed.flatMap(\.updateSections) == rendered.flatMap(\.updateSections), "RELIST_SEED=\(seed): \(source) to \(target)")
            #expect(typed.flatMap(\.updateCells) == rendered.flatMap(\.updateCells), "RELIST_SEED=\(seed): \(source) to \(target)")
            source = target
        }
    }
}

extension List {
    /// A collection model of this list, with type-erased cells and views.
    fileprivate var erased: CollectionViewModel<AnyView, AnyCell> {
        CollectionViewModel(
            sections: collection.model.sections.map { section in
                CollectionViewSection(
                    id: section.id, header: section.header.map { AnyView($0) }, footer: section.footer.map { AnyView($0) },
                    supplementaryViews: section.supplementaryViews.mapValues { AnyView($0) }, cells: section.cells.map { AnyCell($0) }
                )
            })
    }
}
