#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: ContentIdentifiable, ContentEquatable {}
extension Int: ContentIdentifiable, ContentEquatable {}
extension UUID: ContentIdentifiable, ContentEquatable {}

extension Never: ContentIdentifiable, ContentEquatable {
    public var differenceIdentifier: Never { switch self {} }
}

extension Optional: ContentIdentifiable where Wrapped: ContentIdentifiable {
    @inlinable
    public var differenceIdentifier: Wrapped.DifferenceIdentifier? { self?.differenceIdentifier }
}

extension Optional: ContentEquatable where Wrapped: ContentEquatable {
    @inlinable
    public func isContentEqual(to source: Wrapped?) -> Bool {
        guard let self, let source else { return self == nil && source == nil }
        return self.isContentEqual(to: source)
    }
}

extension Array: ContentIdentifiable where Element: ContentIdentifiable {
    @inlinable
    public var differenceIdentifier: [Element.DifferenceIdentifier] { map(\.differenceIdentifier) }
}

extension Array: ContentEquatable where Element: ContentEquatable {
    @inlinable
    public func isContentEqual(to source: [Element]) -> Bool {
        count == source.count && zip(self, source).allSatisfy { $0.isContentEqual(to: $1) }
    }
}

extension Dictionary: ContentEquatable where Value: ContentEquatable {
    @inlinable
    public func isContentEqual(to source: [Key: Value]) -> Bool {
        count == source.count && allSatisfy { key, value in source[key].map(value.isContentEqual(to:)) ?? false }
    }
}
