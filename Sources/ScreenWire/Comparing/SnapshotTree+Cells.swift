extension SnapshotTree {
    /// The cells of a section.
    ///
    /// The cells are stored in blocks. If a list view holds the cells while a changeset updates one of them, only the block of this cell is
    /// copied.
    public struct Cells: RandomAccessCollection, MutableCollection, Sendable {
        /// All blocks except the last have ``blockSize`` cells.
        package private(set) var blocks: [[Cell]]
        public let endIndex: Int

        /// The maximum number of cells in a block. Most sections have fewer cells, and a single block becomes an array without a copy.
        static let blockSize = 1 << 12

        init(_ cells: [Cell]) {
            endIndex = cells.count
            if cells.count <= Self.blockSize {
                blocks = [cells]
            } else {
                blocks = stride(from: 0, to: cells.count, by: Self.blockSize).map { Array(cells[$0...].prefix(Self.blockSize)) }
            }
        }

        public var startIndex: Int { 0 }

        public subscript(index: Int) -> Cell {
            get { blocks[index / Self.blockSize][index % Self.blockSize] }
            set { blocks[index / Self.blockSize][index % Self.blockSize] = newValue }
        }

        /// The cells as an array.
        var array: [Cell] { blocks.count == 1 ? blocks[0] : Array(blocks.joined()) }
    }
}
