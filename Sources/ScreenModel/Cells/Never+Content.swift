/// Stands for the cells or headers that a model has none of.
extension Never: CellContent {
    public var id: String { switch self {} }

    public func writeFields(to content: inout some ContentWriter) {}
}
