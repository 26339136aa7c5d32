/// A section with elements, both of which have identities.
///
/// `isContentEqual(to:)` compares what a section shows besides its elements: header, footer and
/// supplementary views.
public protocol DifferentiableSection: Differentiable {
    /// What the elements are kept in.
    associatedtype Collection: Swift.Collection where Collection.Element: Differentiable

    /// The cells of the section.
    var elements: Collection { get }

    /// Creates a section that is `source` with other elements.
    init(source: Self, elements: some Swift.Collection<Collection.Element>)
}

/// A section of any model and elements, for those who have no section type of their own.
public struct ArraySection<Model: Differentiable, Element: Differentiable>: DifferentiableSection {
    /// The part of the section besides its elements, such as its header.
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

/// A list without sections, as the one section that it then is.
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
