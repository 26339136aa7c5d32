public import ScreenModel

// Cells are identified by their id and compared by their JSON, as in the Relist protocol.

extension ContentIdentifiable where Self: CellContent {
    public var differenceIdentifier: String { id }
}

extension ContentIdentifiable where Self: CellContent & Hashable {
    public var differenceIdentifier: String { id }
}

extension ContentIdentifiable where Self: CellContent & Identifiable {
    public var differenceIdentifier: String { id }
}

extension ContentIdentifiable where Self: CellContent & Identifiable & Hashable {
    public var differenceIdentifier: String { id }
}

extension ContentEquatable where Self: ViewContent {
    public func isContentEqual(to source: Self) -> Bool {
        isWritten(like: source)
    }
}

extension ContentEquatable where Self: ViewContent & Equatable {
    public func isContentEqual(to source: Self) -> Bool {
        self == source
    }
}

// Values of a type that conforms to `ViewVariant` are called variants. They are compared by their views, with two exceptions. Variants that
// are `Equatable` are compared with `==`. Variants whose JSON differs from the JSON of their views are compared by their own JSON.

extension ContentEquatable where Self: ViewVariant {
    public func isContentEqual(to source: Self) -> Bool {
        let areViews = isWritten(like: view) && source.isWritten(like: source.view)
        return areViews ? view.shows(what: source.view) : isWritten(like: source)
    }
}

extension ContentEquatable where Self: ViewVariant & Equatable {
    public func isContentEqual(to source: Self) -> Bool {
        self == source
    }
}

extension AnyCell: ContentIdentifiable, ContentEquatable {
    public func isContentEqual(to source: AnyCell) -> Bool {
        cell.shows(what: source.cell)
    }
}

extension AnyView: ContentEquatable {
    public func isContentEqual(to source: AnyView) -> Bool {
        view.shows(what: source.view)
    }
}

/// The frames in which the sizes of two cells are compared: the frame of a phone, the frame of a tablet, and no frame. The frame of the
/// device is not known when cells are compared.
private let frames = [Size(width: 375, height: 667), Size(width: 1024, height: 1366), nil]

extension ViewContent {
    /// Compares two contents with `isContentEqual(to:)` if they are `ContentEquatable`, and by their JSON if not.
    fileprivate func shows(what source: any ViewContent) -> Bool {
        func compare<Content: ContentEquatable>(_ content: Content) -> Bool? {
            (source as? Content).map(content.isContentEqual(to:))
        }
        return (self as? any ContentEquatable).flatMap { compare($0) } ?? isWritten(like: source)
    }

    fileprivate func isWritten(like source: any ViewContent) -> Bool {
        reuseIdentifier == source.reuseIdentifier && selection == source.selection && actions == source.actions
            && frames.allSatisfy { size(in: $0) == source.size(in: $0) } && writtenFields == source.writtenFields
            && frames.allSatisfy { writtenFallback(in: $0) == source.writtenFallback(in: $0) }
    }

    private func writtenFallback(in frame: Size?) -> [UInt8]? {
        guard let fallback else { return nil }
        var writer = JSONWriter()
        writer.writeObject { fallback.write(to: &$0, in: frame) }
        return writer.bytes
    }

    private var writtenFields: [UInt8] {
        var writer = JSONWriter()
        writer.writeObject { writeFields(to: &$0) }
        return writer.bytes
    }
}
