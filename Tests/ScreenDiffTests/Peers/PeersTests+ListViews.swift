import ScreenDiff
import Testing

// The tests in this file are compiled on Apple platforms only.

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension PeersTests {
    @MainActor @Test func aUITableViewReloadSetsTheTargetData() {
        let (view, changeset) = (UITableView(), StagedChangeset(source: [1, 2], target: [2]))
        var data: [Int] = []
        view.reload(using: changeset, with: .fade, interrupt: { $0.changeCount > 100 }) { data = $0 }
        view.reload(
            using: changeset, deleteSectionsAnimation: .fade, insertSectionsAnimation: .fade, reloadSectionsAnimation: .none,
            deleteRowsAnimation: .fade, insertRowsAnimation: .fade, reloadRowsAnimation: .none
        ) { data = $0 }
        #expect(data == [2])
    }

    @MainActor @Test func aUICollectionViewReloadSetsTheTargetData() {
        let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        var data: [Int] = []
        view.reload(using: StagedChangeset(source: [1, 2], target: [2]), interrupt: { _ in false }) { data = $0 }
        #expect(data == [2])
    }
}
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit

extension PeersTests {
    @MainActor @Test func anNSTableViewReloadSetsTheTargetData() {
        let (view, changeset) = (NSTableView(), StagedChangeset(source: [1, 2], target: [2]))
        var data: [Int] = []
        view.reload(using: changeset, with: .effectFade, interrupt: { $0.changeCount > 100 }) { data = $0 }
        view.reload(using: changeset, deleteRowsAnimation: .effectFade, insertRowsAnimation: .effectGap, reloadRowsAnimation: []) {
            data = $0
        }
        #expect(data == [2])
    }

    @MainActor @Test func anNSCollectionViewReloadSetsTheTargetData() {
        let view = NSCollectionView()
        var data: [Int] = []
        view.reload(using: StagedChangeset(source: [1, 2], target: [2]), interrupt: { _ in false }) { data = $0 }
        #expect(data == [2])
    }
}
#endif
