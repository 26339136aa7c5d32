/// An element with an identity that outlives its content, so that a change of content is an update.
///
/// The names are those of DifferenceKit.
public protocol Differentiable {
    associatedtype DifferenceIdentifier: Hashable

    /// The identity of this element, whatever it shows.
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

/// An element of any type, so that a list can mix them.
///
/// Two are the same if their types and identifiers are.
public struct AnyDifferentiable: Differentiable, Sendable {
    /// The element as it was.
    public let base: any Differentiable & Sendable

    public init(_ base: some Differentiable & Sendable) {
        self.base = base
    }

    public var differenceIdentifier: Identifier {
        func identifier<Base: Differentiable>(of base: Base) -> Identifier {
            Identifier(type: ObjectIdentifier(Base.self), identifier: AnyHashable(base.differenceIdentifier))
        }
        return identifier(of: base)
    }

    public func isContentEqual(to source: AnyDifferentiable) -> Bool {
        func compare<Base: Differentiable>(_ base: Base) -> Bool {
            (source.base as? Base).map(base.isContentEqual(to:)) ?? false
        }
        return compare(base)
    }

    /// An identifier together with the type that it is of.
    public struct Identifier: Hashable {
        fileprivate let type: ObjectIdentifier
        fileprivate let identifier: AnyHashable
    }
}
