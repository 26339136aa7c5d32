/// A type-erased element. A list can contain elements of several types if each is wrapped in this type.
///
/// Two elements have the same identity if both their types and their identifiers are equal.
public struct AnyDifferentiable: Differentiable, Sendable {
    /// The wrapped element.
    public let base: any Differentiable & Sendable

    /// Creates a type-erased element. If `base` is already an `AnyDifferentiable`, the element inside it is wrapped instead.
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

    /// The identifier of a type-erased element: the type and the identifier of the wrapped element.
    public struct Identifier: Hashable {
        fileprivate let type: ObjectIdentifier
        fileprivate let identifier: AnyHashable
    }
}

extension AnyDifferentiable: CustomDebugStringConvertible {
    public var debugDescription: String { "AnyDifferentiable(\(String(reflecting: base)))" }
}
