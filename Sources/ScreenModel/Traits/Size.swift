/// States how large a cell or a view is, in points.
///
/// On the wire it is the `size` of a cell: `{"width"?, "height"}`. Without a width it is as wide
/// as its frame.
public struct Size: Hashable, Content {
    /// Is in points; nil takes the width of the frame.
    public var width: Double?

    /// Is in points.
    public var height: Double

    @inlinable
    public init(width: Double? = nil, height: Double) {
        self.width = width
        self.height = height
    }

    @inlinable
    public func writeFields(to content: inout some ContentWriter) {
        content.field("width", width)
        content.field("height", height)
    }
}
