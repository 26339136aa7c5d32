/// Stands for one of several cells and forwards everything to it.
///
/// An enum of cells adopts it with one requirement, so that a list can mix them and still be
/// switched over.
public protocol CellVariant: ViewVariant, CellContent {
    /// Is the cell that it stands for; asked for anew with each requirement.
    var cell: any CellContent { get }
}

extension CellVariant {
    public var view: any ViewContent { cell }
    public var id: String { cell.id }
}
