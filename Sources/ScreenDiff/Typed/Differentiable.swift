/// A value with an identity that outlives its content, so that a change of content is an update.
///
/// The names here are those of DifferenceKit.
public protocol ContentIdentifiable {
    associatedtype DifferenceIdentifier: Hashable

    /// The identity of this value, whatever it shows.
    var differenceIdentifier: DifferenceIdentifier { get }
}

/// A value whose content can be compared.
public protocol ContentEquatable {
    /// Whether nothing that is shown differs from `source`, a value with the same identifier.
    func isContentEqual(to source: Self) -> Bool
}

/// An element of a list that can be diffed.
public typealias Differentiable = ContentIdentifiable & ContentEquatable

extension ContentIdentifiable where Self: Hashable {
    /// The element itself: it is never updated, only deleted and inserted.
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
