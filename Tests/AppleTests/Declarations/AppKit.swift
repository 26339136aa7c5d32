// The part of AppKit that `ScreenDiff` and `ScreenClient` use, declared as Swift imports it.

@_exported import Foundation

@MainActor open class NSView: NSResponder {
    // The initializers of classes in Objective-C can be called on a metatype, like required initializers in Swift.
    public nonisolated required override init() {}
    public var bounds: NSRect { .zero }
    public func isDescendant(of view: NSView) -> Bool { false }
    public var visibleRect: NSRect { .zero }
    public var window: NSWindow? { nil }
    public var identifier: NSUserInterfaceItemIdentifier?
    public func animator() -> Self { self }
    public func addSubview(_ view: NSView) {}
    public func layoutSubtreeIfNeeded() {}
    public func scroll(_ point: NSPoint) {}
}

@MainActor open class NSResponder: NSObject {
    public nonisolated override init() {}
}

@MainActor open class NSWindow {
    public struct StyleMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let titled = StyleMask(rawValue: 1)
    }

    open var firstResponder: NSResponder? { nil }
    @discardableResult open func makeFirstResponder(_ responder: NSResponder?) -> Bool { true }

    public enum BackingStoreType: UInt, Sendable {
        case buffered = 2
    }

    public init(contentRect: NSRect, styleMask style: StyleMask, backing backingStoreType: BackingStoreType, defer flag: Bool) {}
    public var contentView: NSView?
    public var isReleasedWhenClosed: Bool = true
}

public struct NSUserInterfaceItemIdentifier: Hashable, Sendable {
    public init(_ rawValue: String) {}
}

@MainActor open class NSNib {
    public init?(nibNamed nibName: String, bundle: Bundle?) {}
}

open class NSTextField: NSView {
    public convenience init(labelWithString stringValue: String) { self.init() }
    public var stringValue: String = ""
}

@MainActor open class NSWorkspace {
    public class var shared: NSWorkspace { fatalError() }
    public var isVoiceOverEnabled: Bool { false }
}

public struct NSAccessibility: Sendable {
    public struct Notification: Sendable {
        public static let announcementRequested = Notification()
    }

    public struct NotificationUserInfoKey: Hashable, Sendable {
        public static let announcement = NotificationUserInfoKey()
    }

    @MainActor public static func post(
        element: Any, notification: Notification, userInfo: [NotificationUserInfoKey: Any]? = nil
    ) {}
}

@MainActor open class NSTableColumn: NSObject {
    public init(identifier: NSUserInterfaceItemIdentifier) {}
}

@MainActor open class NSTableViewRowAction {
    public enum Style: UInt, Sendable {
        case regular, destructive
    }

    public init(style: Style, title: String, handler: @escaping (NSTableViewRowAction, Int) -> Void) {}
}

// Most requirements of these protocols are optional in AppKit. The declarations have only the requirements that `ScreenClient` implements.
@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
    func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor public protocol NSTableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
    func tableView(_ tableView: NSTableView, heightOfRow row: Int) -> CGFloat
    func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
    func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool
    func tableView(_ tableView: NSTableView, rowActionsForRow row: Int, edge: NSTableView.RowActionEdge) -> [NSTableViewRowAction]
}

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

    public enum RowActionEdge: Int, Sendable {
        case leading, trailing
    }

    public weak var dataSource: (any NSTableViewDataSource)?
    public weak var delegate: (any NSTableViewDelegate)?
    public var numberOfColumns: Int { 0 }
    public var numberOfRows: Int { 0 }
    public var selectedRow: Int { -1 }
    public var rowHeight: CGFloat = 17
    public func addTableColumn(_ tableColumn: NSTableColumn) {}
    public func rows(in rect: NSRect) -> NSRange { NSRange(location: 0, length: 0) }
    public func rect(ofRow row: Int) -> NSRect { .zero }
    public func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? { nil }
    public func deselectRow(_ row: Int) {}
    public func register(_ nib: NSNib?, forIdentifier identifier: NSUserInterfaceItemIdentifier) {}
    public func makeView(withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?) -> NSView? { nil }
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
