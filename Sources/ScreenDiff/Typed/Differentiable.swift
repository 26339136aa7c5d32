/// Has an identity that outlives its content, so that a change of content is an update.
///
/// The names are those of DifferenceKit.
public protocol Differentiable {
    associatedtype DifferenceIdentifier: Hashable

    /// What this element is, whatever it shows.
    var differenceIdentifier: DifferenceIdentifier { get }

    /// Whether nothing that is shown differs from `source`, an element with the same identifier.
    func isContentEqual(to source: Self) -> Bool
}

extension Differentiable where Self: Hashable {
    /// The element itself: it is never updated, only deleted and inserted.
    @inlinable
    public var differenceIdentifier: Self { self }
}

extension Differentiable where Self: Identifiable {
    @inlinable
    public var differenceIdentifier: ID { id }
}

extension Differentiable where Self: Identifiable & Hashable {
    @inlinable
    public var differenceIdentifier: ID { id }
}

extension Differentiable where Self: Equatable {
    @inlinable
    public func isContentEqual(to source: Self) -> Bool {
        self == source
    }
}

extension String: Differentiable {}
extension Int: Differentiable {}

/// Is a section with cells, both of which have identities.
///
/// `isContentEqual(to:)` compares what a section shows besides its cells: header, footer and
/// supplementary views.
public protocol DifferentiableSection: Differentiable {
    associatedtype Cell: Differentiable

    var cells: [Cell] { get }

    /// This section with other cells.
    func with(cells: [Cell]) -> Self
}
