/// Names the place of a supplementary view in its section.
///
/// Keys are ordered by item, then by the UTF-8 of the kind, so that rendering is deterministic.
public struct SupplementaryViewKey: Hashable, Sendable {
    /// Tells views of one item apart, such as `badge`.
    public var kind: String

    /// Counts the cells before the one that the view belongs to.
    public var item: Int

    @inlinable
    public init(kind: String, item: Int) {
        self.kind = kind
        self.item = item
    }
}

extension SupplementaryViewKey: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        a.item == b.item ? a.kind.utf8.lexicographicallyPrecedes(b.kind.utf8) : a.item < b.item
    }
}
