import ScreenModel

/// Lays albums out in as many columns as fit, and says how large each album is.
struct AlbumGrid {
    /// Between two columns, in points.
    static let spacing = 10.0
    /// Of a column, in points.
    static let leastWidth = 140.0
    /// What stands below the cover, in points.
    static let captionHeight = 48.0

    let width: Double

    var columnCount: Int {
        max(1, Int((width + Self.spacing) / (Self.leastWidth + Self.spacing)))
    }

    /// A square cover and its caption. Whole points, rounded down: wider, the last column would wrap.
    var albumSize: Size {
        let free = width - Self.spacing * Double(columnCount - 1)
        let side = (free / Double(columnCount)).rounded(.down)
        return Size(width: side, height: side + Self.captionHeight)
    }
}
