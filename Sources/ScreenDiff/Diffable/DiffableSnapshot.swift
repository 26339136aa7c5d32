/// The sections and items of a list view at one point in time, by their identifiers.
///
///     var snapshot = DiffableSnapshot<Section, Mountain.ID>()
///     snapshot.appendSections([.main])
///     snapshot.appendItems(mountains.map(\.id))
///     dataSource.apply(snapshot)
///
/// Types and functions have the same names, meanings and preconditions as those of `NSDiffableDataSourceSnapshot`, with one exception:
/// UIKit moves an item that is inserted again, and ignores a section that is inserted again (developer.apple.com/forums/thread/655284).
/// Here, both are errors.
///
/// The identifiers of sections are unique, and so are the identifiers of items in all sections. A section and an item can have equal
/// identifiers. An identifier that is unknown or repeated ends the program with a message, even in optimised builds. Only deletes ignore
/// unknown identifiers, as in UIKit (according to the tests of ra1028/DiffableDataSources).
///
/// A change of k items or sections takes O(n + k) if there are n items and sections. Appending takes O(k).
public struct DiffableSnapshot<SectionID: Hashable, ItemID: Hashable> {
    /// The identifiers of the sections, in order.
    public internal(set) var sectionIdentifiers: [SectionID] = []
    /// The items of each section, in order.
    var itemsOfSection: [SectionID: [ItemID]] = [:]
    /// The section of each item.
    var sectionOfItem: [ItemID: SectionID] = [:]
    var reloadedItems: Set<ItemID> = []
    var reconfiguredItems: Set<ItemID> = []
    var reloadedSections: Set<SectionID> = []

    /// Creates a snapshot without sections.
    public init() {}
}

extension DiffableSnapshot: Equatable {}
extension DiffableSnapshot: Sendable where SectionID: Sendable, ItemID: Sendable {}

extension DiffableSnapshot {
    /// The identifiers of all items, in order.
    public var itemIdentifiers: [ItemID] {
        sectionIdentifiers.flatMap(itemIdentifiers(inSection:))
    }

    /// The number of sections.
    public var numberOfSections: Int { sectionIdentifiers.count }

    /// The number of items in all sections.
    public var numberOfItems: Int { sectionOfItem.count }

    /// Returns the number of items in a section, which must exist.
    public func numberOfItems(inSection identifier: SectionID) -> Int {
        itemIdentifiers(inSection: identifier).count
    }

    /// Returns the identifiers of the items in a section, in order. The section must exist, as in UIKit since iOS 14
    /// (the-blue-alliance-ios#899).
    public func itemIdentifiers(inSection identifier: SectionID) -> [ItemID] {
        guard let items = itemsOfSection[identifier] else { Self.failUnknown(section: identifier) }
        return items
    }

    /// Returns the identifier of the section that contains an item, or `nil` if there is no such item.
    public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
        sectionOfItem[identifier]
    }

    /// Returns the index of an item among all items, or `nil` if there is no such item.
    public func indexOfItem(_ identifier: ItemID) -> Int? {
        guard let place = place(of: identifier) else { return nil }
        let sectionsBefore = sectionIdentifiers.prefix { $0 != place.section }
        return sectionsBefore.reduce(place.index) { $0 + numberOfItems(inSection: $1) }
    }

    /// Returns the index of a section, or `nil` if there is no such section.
    public func indexOfSection(_ identifier: SectionID) -> Int? {
        sectionIdentifiers.firstIndex(of: identifier)
    }

    /// The identifiers of the items that are reloaded when the snapshot is applied, in order.
    public var reloadedItemIdentifiers: [ItemID] { ordered(reloadedItems) }

    /// The identifiers of the items that are reconfigured when the snapshot is applied, in order.
    public var reconfiguredItemIdentifiers: [ItemID] { ordered(reconfiguredItems) }

    /// The identifiers of the sections that are reloaded when the snapshot is applied, in order.
    public var reloadedSectionIdentifiers: [SectionID] { sectionIdentifiers.filter(reloadedSections.contains) }

    private func ordered(_ items: Set<ItemID>) -> [ItemID] {
        items.isEmpty ? [] : itemIdentifiers.filter(items.contains)
    }

    /// Returns the section of an item, and the index of the item in this section.
    func place(of item: ItemID) -> (section: SectionID, index: Int)? {
        guard let section = sectionOfItem[item], let index = itemsOfSection[section]?.firstIndex(of: item) else { return nil }
        return (section, index)
    }
}

// `fatalError` is used, because the messages of preconditions are left out of optimised builds.
extension DiffableSnapshot {
    static func failUnknown(section: SectionID) -> Never {
        fatalError("Section \(section) is not in the snapshot. Add it with appendSections(_:) first.")
    }

    static func failUnknown(item: ItemID) -> Never {
        fatalError("Item \(item) is not in the snapshot. Add it with appendItems(_:toSection:) first.")
    }
}
