// The part of AppKit that `ScreenDiff` uses, declared as Swift imports it.

@_exported import Foundation

@MainActor open class NSView {
    public init() {}
    public var window: NSWindow? { nil }
    public func animator() -> Self { self }
}

@MainActor open class NSWindow {}

@MainActor open class NSAnimationContext {
    public class func runAnimationGroup(
        _ changes: (NSAnimationContext) -> Void, completionHandler: (@MainActor @Sendable () -> Void)? = nil
    ) {}
}

open class NSTableView: NSView {
    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let effectFade = AnimationOptions(rawValue: 1)
        public static let effectGap = AnimationOptions(rawValue: 2)
    }

    public var numberOfColumns: Int { 0 }
    public func reloadData() {}
    public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
    public func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {}
    public func beginUpdates() {}
    public func endUpdates() {}
    public func removeRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
    public func insertRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
    public func moveRow(at oldIndex: Int, to newIndex: Int) {}
}

open class NSCollectionView: NSView {
    public func reloadData() {}
    // In the header of AppKit, the block is nullable and does not escape. No closure in Swift can be both, so this declaration
    // uses a closure that is not optional.
    public func performBatchUpdates(_ updates: () -> Void, completionHandler: ((Bool) -> Void)? = nil) {}
    public func deleteSections(_ sections: IndexSet) {}
    public func insertSections(_ sections: IndexSet) {}
    public func reloadSections(_ sections: IndexSet) {}
    public func moveSection(_ section: Int, toSection newSection: Int) {}
    public func deleteItems(at indexPaths: Set<IndexPath>) {}
    public func insertItems(at indexPaths: Set<IndexPath>) {}
    public func reloadItems(at indexPaths: Set<IndexPath>) {}
    public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}

extension IndexPath {
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }
}
