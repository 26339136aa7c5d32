import ScreenDiff
import ScreenModel
import ScreenWire

extension SnapshotWriter {
    /// Writes the cells of a section. Returns the new ids of renamed cells, by the index of the cell in the section.
    mutating func writeCells<Cell: CellContent>(
        _ cells: [Cell], ofSectionAt index: Int, after earlierCells: (_ section: Int) -> [Cell]
    ) -> [Int: String] {
        var renamed: [Int: String] = [:]
        // The place in the previous snapshot at which the next cell is expected. Most cells follow the same cell as before.
        var place = CellPlace(section: index, item: 0)
        // The number of next cells that can be copied from the previous snapshot without another comparison.
        var equalCount = 0
        var item = 0
        while item < cells.count {
            if equalCount == 0 { equalCount = countEqual(cells, from: item, to: place, earlierCells) }
            let copied = copy(equalCount, from: place)
            item += copied
            place.item += copied
            equalCount -= copied
            guard item < cells.count else { break }
            let cell = cells[item]
            let id = cell.id
            let idHash = hash.hash(id)
            if let found = earlier?.place(of: idHash, near: place), found != place {
                (place, equalCount) = (found, 0)
                if cell.isKnownEqual(to: earlierCells(place.section)[place.item]) { continue }
            }
            let isFound = earlier?.id(at: place) == idHash
            let written = write(cell, id, idHash, at: isFound ? place : nil)
            if written != id { renamed[item] = written }
            if isFound { place.item += 1 }
            equalCount = isFound ? max(equalCount - 1, 0) : 0
            item += 1
        }
        return renamed
    }

    /// Compares the cells that begin at `item` with the cells of the previous snapshot that begin at `place`. Returns the number of cells
    /// before the first cell that cannot be copied.
    private func countEqual<Cell: CellContent>(
        _ cells: [Cell], from item: Int, to place: CellPlace, _ earlierCells: (_ section: Int) -> [Cell]
    ) -> Int {
        guard let earlier, let rest = earlier.cells(from: place) else { return 0 }
        let equal = Cell.countEqual(cells, from: item, earlierCells(place.section), from: place.item)
        let rendered = earlier.rendered
        if rendered.hasPlainCells { return equal }
        let ambiguous = rest.prefix(equal).first { !rendered.document.bytes.isPlain(in: rendered.document.cells[$0].range) }
        return ambiguous.map { $0 - rest.lowerBound } ?? equal
    }

    /// Copies cells of the previous snapshot, and returns their number. Stops before the first cell whose id is already used.
    private mutating func copy(_ count: Int, from place: CellPlace) -> Int {
        guard count > 0, let earlier, let rest = earlier.cells(from: place) else { return 0 }
        var indices = rest.prefix(count)
        if !isInOrder(indices.lowerBound) {
            fillCellIDs()
            // A cell that is already written may have the id of one of the cells to copy.
            indices = indices.prefix { cellIDs!.insert(earlier.rendered.outline.cells[$0].id) }
        }
        guard let last = indices.last else { return 0 }
        lastMatched = last
        hasPlainCells = hasPlainCells && earlier.rendered.hasPlainCells
        copiedCount += indices.count
        document.copyCells(indices, of: earlier.rendered.document)
        outlineCells += earlier.rendered.outline.cells[indices]
        return indices.count
    }

    /// Writes a cell and returns its id, which is a new id if the cell's id is already used.
    ///
    /// - Parameter place: The place of the cell with this id in the previous snapshot, or `nil` if there was no such cell.
    private mutating func write(_ cell: some CellContent, _ id: String, _ idHash: UInt64, at place: CellPlace?) -> String {
        var (id, idHash) = (id, idHash)
        if let index = place.flatMap({ earlier?.cells(from: $0)?.lowerBound }), isInOrder(index) {
            lastMatched = index
        } else {
            fillCellIDs()
            (id, idHash) = cellIDs!.unique(id, idHash, hash)
        }
        let range = document.writeCell { [frame] json in
            json.write(raw: "{")
            json.field("id", id)
            cell.writeMembers(to: &json, in: frame)
            json.write(raw: "}")
        }
        hasPlainCells = hasPlainCells && document.bytes.isPlain(in: range)
        outlineCells.append(Outline.Cell(id: idHash, content: fingerprint(range)))
        return id
    }

    /// Returns a Boolean value that indicates whether each written cell is also in the previous snapshot, at a lower index than `index`. In
    /// this case, no written cell has the id of the cell that is at `index` in the previous snapshot.
    private func isInOrder(_ index: Int) -> Bool {
        cellIDs == nil && index > lastMatched
    }

    private mutating func fillCellIDs() {
        guard cellIDs == nil else { return }
        var ids = UniqueIDs(expectedCount: max(outlineCells.count, earlier?.rendered.outline.cells.count ?? 0))
        for cell in outlineCells { _ = ids.insert(cell.id) }
        cellIDs = ids
    }
}

extension [UInt8] {
    /// Returns a Boolean value that indicates whether a range is plain: it contains only characters that `==` distinguishes from all
    /// others. Each of `K`, `;` and the backtick equals another character by `==`, for example `K` and U+212A.
    func isPlain(in range: Range<Int>) -> Bool {
        withUnsafeBufferPointer { bytes in
            // The loop has no early exit, so that it is vectorized.
            var ambiguous: UInt8 = 0
            for byte in UnsafeBufferPointer(rebasing: bytes[range]) {
                let isAmbiguous = byte >= 0x80 || byte == UInt8(ascii: "K") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "`")
                ambiguous |= isAmbiguous ? 1 : 0
            }
            return ambiguous == 0
        }
    }
}
