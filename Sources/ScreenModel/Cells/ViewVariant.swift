/// Stands for one of several views and forwards everything to it.
///
/// An enum of headers adopts it with one requirement.
public protocol ViewVariant: ViewContent {
    /// Is the view that it stands for; asked for anew with each requirement.
    var view: any ViewContent { get }
}

extension ViewVariant {
    public var reuseIdentifier: String { view.reuseIdentifier }
    public var selection: Selection? { view.selection }
    public var actions: [OfferedAction] { view.actions }

    public func size(in frame: Size?) -> Size? {
        view.size(in: frame)
    }

    public func writeFields(to content: inout some ContentWriter) {
        view.writeFields(to: &content)
    }
}
