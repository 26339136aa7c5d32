/// Holds an element of any type, so that a list can mix them.
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

    /// Is an identifier together with the type that it is of.
    public struct Identifier: Hashable {
        fileprivate let type: ObjectIdentifier
        fileprivate let identifier: AnyHashable
    }
}
