/// Is what suffices to compare a snapshot: ids and fingerprints of contents, no content.
///
/// History keeps outlines of what clients hold. Two 64-bit words a cell; ids and contents are
/// stand-ins by a keyed hash, made where snapshots are rendered.
public struct Outline: Hashable, Sendable {
    public var sections: [Section]
    /// The cells of all sections, in order.
    public var cells: [Cell]

    public struct Cell: Hashable, Sendable {
        public var id: UInt64
        /// Covers everything that is written of the cell.
        public var content: UInt64

        public init(id: UInt64, content: UInt64) {
            self.id = id
            self.content = content
        }
    }

    public struct Section: Hashable, Sendable {
        public var id: UInt64
        /// Covers header, footer and supplementary views.
        public var views: UInt64
        public var cellCount: Int

        public init(id: UInt64, views: UInt64, cellCount: Int) {
            self.id = id
            self.views = views
            self.cellCount = cellCount
        }
    }

    /// - Precondition: the sections' counts add up to the number of cells.
    public init(sections: [Section], cells: [Cell]) {
        precondition(sections.reduce(0) { $0 + $1.cellCount } == cells.count, "an outline's counts fit its cells")
        self.sections = sections
        self.cells = cells
    }
}
