/// A section with cells, both of which have identities.
///
/// `isContentEqual(to:)` compares what a section shows besides its cells: header, footer and
/// supplementary views.
public protocol DifferentiableSection: Differentiable {
    associatedtype Cell: Differentiable

    var cells: [Cell] { get }

    /// Returns this section with other cells.
    func with(cells: [Cell]) -> Self
}

/// A section of any model and elements, for those who have no section type of their own.
public struct ArraySection<Model: Differentiable, Cell: Differentiable>: DifferentiableSection {
    /// The part of the section besides its elements, such as its header.
    public var model: Model
    public var cells: [Cell]

    @inlinable
    public init(model: Model, elements: some Sequence<Cell>) {
        self.model = model
        cells = Array(elements)
    }

    @inlinable
    public var differenceIdentifier: Model.DifferenceIdentifier { model.differenceIdentifier }

    @inlinable
    public func isContentEqual(to source: ArraySection) -> Bool {
        model.isContentEqual(to: source.model)
    }

    public func with(cells: [Cell]) -> ArraySection {
        ArraySection(model: model, elements: cells)
    }
}

extension ArraySection: Equatable where Model: Equatable, Cell: Equatable {}
extension ArraySection: Sendable where Model: Sendable, Cell: Sendable {}

/// A list without sections, as the one section that it then is.
public struct FlatSection<Cell: Differentiable>: DifferentiableSection {
    public let cells: [Cell]

    @inlinable
    public init(cells: [Cell]) {
        self.cells = cells
    }

    @inlinable
    public var differenceIdentifier: Int { 0 }

    @inlinable
    public func isContentEqual(to source: FlatSection) -> Bool { true }

    public func with(cells: [Cell]) -> FlatSection {
        FlatSection(cells: cells)
    }
}
