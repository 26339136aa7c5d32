/// Holds a header, a footer or a supplementary view of any type.
///
/// It lets one model have several types of them: `header: AnyView(DayHeader(day))`.
public struct AnyView: ViewVariant {
    public let view: any ViewContent

    public init(_ view: some ViewContent) {
        self.view = view
    }

    /// Takes the view as it is, instead of wrapping it twice.
    public init(_ view: AnyView) {
        self = view
    }
}
