/// Holds what one cell shows, under an id that stays the same while its content changes.
public protocol CellContent: ViewContent {
    /// Names the cell within its screen, across sections, the same in every version.
    var id: String { get }
}
