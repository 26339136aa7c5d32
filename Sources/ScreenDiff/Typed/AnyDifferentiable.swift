/// An element of any type, so that a list can mix them.
///
/// Two are the same if their types and identifiers are.
public struct AnyDifferentiable: Differentiable, Sendable {
    /// The element as it was.
    public let base: any Differentiable & Sendable

    /// Takes an element that is erased already as it is, instead of wrapping it twice.
    public init(_ base: some Differentiable & Sendable) {
        self.base = (base as? AnyDifferentiable)?.base ?? base
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

extension AnyDifferentiable: CustomDebugStringConvertible {
    public var debugDescription: String { "AnyDifferentiable(\(String(reflecting: base)))" }
}
