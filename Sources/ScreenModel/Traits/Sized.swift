/// Tells how large a cell or a view wants to be.
public protocol Sized: ViewContent {
    /// Returns the size for a frame, both in points.
    func preferredSize(in frame: Size) -> Size
}

extension Sized {
    @inlinable
    public func size(in frame: Size?) -> Size? {
        frame.map(preferredSize)
    }
}
