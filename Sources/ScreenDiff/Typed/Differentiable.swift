/// A value with an identity that does not depend on its content. If only the content changes, the value is updated, not deleted
/// and inserted.
///
/// This type and its property have the same names as in DifferenceKit.
public protocol ContentIdentifiable {
    associatedtype DifferenceIdentifier: Hashable

    /// The identity of this value.
    var differenceIdentifier: DifferenceIdentifier { get }
}

/// A value whose content can be compared.
public protocol ContentEquatable {
    /// Returns a Boolean value that indicates whether the content of this value is equal to the content of `source`. Both
    /// values have the same identifier.
    func isContentEqual(to source: Self) -> Bool
}

/// The requirements for the elements of a list. A changeset can be computed between two lists of such elements.
public typealias Differentiable = ContentIdentifiable & ContentEquatable

extension ContentIdentifiable where Self: Hashable {
    /// The element itself, as its own identifier. So an element is never updated, only deleted and inserted.
    @inlinable
    public var differenceIdentifier: Self { self }
}

extension ContentIdentifiable where Self: Identifiable {
    @inlinable
    public var differenceIdentifier: ID { id }
}

extension ContentIdentifiable where Self: Identifiable & Hashable {
    @inlinable
    public var differenceIdentifier: ID { id }
}

extension ContentEquatable where Self: Equatable {
    @inlinable
    public func isContentEqual(to source: Self) -> Bool {
        self == source
    }
}
