/// Is a section of any model and elements, for those who have no section type of their own.
public struct ArraySection<Model: Differentiable, Cell: Differentiable>: DifferentiableSection {
    /// What the section shows besides its elements.
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
