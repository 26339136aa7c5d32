/// A section that has an identity and contains elements with identities.
///
/// `isContentEqual(to:)` compares sections without their elements. It compares headers, footers and supplementary views.
public protocol DifferentiableSection: Differentiable {
    /// The collection of elements.
    associatedtype Collection: Swift.Collection where Collection.Element: Differentiable

    /// The elements of the section.
    var elements: Collection { get }

    /// Creates a copy of the section `source` that contains `elements` in place of the elements of `source`.
    init(source: Self, elements: some Swift.Collection<Collection.Element>)
}

/// A section that consists of elements and one value for all other parts, such as the header. It is meant for code without its own section
/// type.
public struct ArraySection<Model: Differentiable, Element: Differentiable>: DifferentiableSection {
    /// All parts of the section except its elements, such as its header.
    public var model: Model
    public var elements: [Element]

    @inlinable
    public init(model: Model, elements: some Swift.Collection<Element>) {
        self.model = model
        self.elements = Array(elements)
    }

    @inlinable
    public init(source: ArraySection, elements: some Swift.Collection<Element>) {
        self.init(model: source.model, elements: elements)
    }

    @inlinable
    public var differenceIdentifier: Model.DifferenceIdentifier { model.differenceIdentifier }

    @inlinable
    public func isContentEqual(to source: ArraySection) -> Bool {
        model.isContentEqual(to: source.model)
    }
}

extension ArraySection: Equatable where Model: Equatable, Element: Equatable {}
extension ArraySection: Hashable where Model: Hashable, Element: Hashable {}
extension ArraySection: Sendable where Model: Sendable, Element: Sendable {}

extension ArraySection: CustomDebugStringConvertible {
    public var debugDescription: String {
        "ArraySection(model: \(String(reflecting: model)), elements: \(String(reflecting: elements)))"
    }
}

/// A section that represents a whole list without sections.
@usableFromInline
struct FlatSection<Element: Differentiable>: DifferentiableSection {
    @usableFromInline let elements: [Element]

    @inlinable
    init(_ elements: some Swift.Collection<Element>) {
        self.elements = Array(elements)
    }

    @inlinable
    init(source: FlatSection, elements: some Swift.Collection<Element>) {
        self.init(elements)
    }

    @inlinable var differenceIdentifier: Int { 0 }

    @inlinable
    func isContentEqual(to source: FlatSection) -> Bool { true }
}
