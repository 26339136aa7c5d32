public import FoundationEssentials

// UIKit and AppKit bring these, but FoundationEssentials has neither.
#if !canImport(UIKit) && !canImport(AppKit)
extension IndexPath {
    /// Creates the place of an item in a section.
    @inlinable
    public init(item: Int, section: Int) {
        self = [section, item]
    }

    /// Counts the sections before the place.
    @inlinable public var section: Int { self[0] }

    /// Counts the items of the section before the place.
    @inlinable public var item: Int { self[1] }
}
#endif
