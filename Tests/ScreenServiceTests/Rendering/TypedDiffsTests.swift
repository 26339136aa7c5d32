import ScreenDiff
import ScreenModel
@testable import ScreenService
import SeededRandom
import Testing

/// A model is diffed alike typed and rendered: what is an update on the wire is one in an app.
@Suite struct TypedDiffs {
    @Test(arguments: Seeds.first(20)) func typedAndRenderedDiffsUpdateTheSame(seed: UInt64) {
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
    /// The collection with cells and views of any type, whose contents are compared by what is written.
    fileprivate var erased: CollectionViewModel<AnyView, AnyCell> {
        CollectionViewModel(sections: collection.model.sections.map { section in
            CollectionViewSection(
                id: section.id, header: section.header.map { AnyView($0) }, footer: section.footer.map { AnyView($0) },
                supplementaryViews: section.supplementaryViews.mapValues { AnyView($0) }, cells: section.cells.map { AnyCell($0) }
            )
        })
    }
}
