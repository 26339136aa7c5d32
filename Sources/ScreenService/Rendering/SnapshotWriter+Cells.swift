import ScreenDiff
import ScreenModel
import ScreenWire

// Cells: what is known to equal what stood under the same id before is taken over, runs of them in one piece.
extension SnapshotWriter {
    /// - Parameter index: of the section.
    /// - Returns: the ids that cells got instead of theirs, by their items.
    mutating func writeCells<Cell: CellContent>(
        _ cells: [Cell], ofSectionAt index: Int, after earlierCells: (_ section: Int) -> [Cell]
    ) -> [Int: String] {
        var renamed: [Int: String] = [:]
        // Most often a section stands where it stood, and so does each cell, behind the one before it.
        var place = CellPlace(section: index, item: 0)
        // How many cells from here on are known to equal those from there on: counted once, though ids may be taken.
        var equal = 0
        var item = 0
        while item < cells.count {
            if equal == 0 { equal = countEqual(cells, from: item, standingAt: place, earlierCells) }
            let copied = copy(equal, from: place)
            item += copied
            place.item += copied
            equal -= copied
            guard item < cells.count else { break }
            let cell = cells[item]
            let id = cell.id
            let idHash = hash.hash(id)
            if let found = earlier?.place(of: idHash, near: place), found != place {
                (place, equal) = (found, 0)
                if cell.isKnownEqual(to: earlierCells(place.section)[place.item]) { continue }
            }
            let stoodHere = earlier?.id(at: place) == idHash
            let written = write(cell, id, idHash, at: stoodHere ? place : nil)
            if written != id { renamed[item] = written }
            if stoodHere { place.item += 1 }
            equal = stoodHere ? max(equal - 1, 0) : 0
            item += 1
        }
        return renamed
    }

    /// How many cells from an item on are known to be written like those that stood one after the other from a place on.
    ///
    /// `==` takes texts for equal of which the bytes differ; so those count alone whose bytes leave no doubt.
    private func countEqual<Cell: CellContent>(
        _ cells: [Cell], from item: Int, standingAt place: CellPlace, _ earlierCells: (_ section: Int) -> [Cell]
    ) -> Int {
        guard let earlier, let rest = earlier.cells(from: place) else { return 0 }
        let equal = Cell.countEqual(cells, from: item, earlierCells(place.section), from: place.item)
        let rendered = earlier.rendered
        if rendered.hasPlainCells { return equal }
        let doubtful = rest.prefix(equal).first { !rendered.document.bytes.isPlain(in: rendered.document.cells[$0].range) }
        return doubtful.map { $0 - rest.lowerBound } ?? equal
    }

    /// Takes over cells that stood one after the other from a place on, up to one whose id is taken.
    ///
    /// - Returns: how many it has taken over.
    private mutating func copy(_ count: Int, from place: CellPlace) -> Int {
        guard count > 0, let earlier, let rest = earlier.cells(from: place) else { return 0 }
        var numbers = rest.prefix(count)
        if !isBehindAllTaken(numbers.lowerBound) {
            fillCellIDs()
            // A cell before them may have taken the id of one.
            numbers = numbers.prefix { cellIDs!.insert(earlier.rendered.outline.cells[$0].id) }
        }
        guard let last = numbers.last else { return 0 }
        lastTaken = last
        hasPlainCells = hasPlainCells && earlier.rendered.hasPlainCells
        takenOverCount += numbers.count
        document.copyCells(numbers, of: earlier.rendered.document)
        outlineCells += earlier.rendered.outline.cells[numbers]
        return numbers.count
    }

    /// Writes a cell and gives the id that it got.
    ///
    /// - Parameter place: where a cell of that id stood; nil where there was none.
    private mutating func write(_ cell: some CellContent, _ id: String, _ idHash: UInt64, at place: CellPlace?) -> String {
        var (id, idHash) = (id, idHash)
        if let number = place.flatMap({ earlier?.cells(from: $0)?.lowerBound }), isBehindAllTaken(number) {
            lastTaken = number
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

    /// Whether no cell can have the id of an earlier one: all until now had those of earlier ones before it. Then
    /// nobody needs to remember ids, of which there may be a hundred thousand.
    private func isBehindAllTaken(_ number: Int) -> Bool {
        cellIDs == nil && number > lastTaken
    }

    private mutating func fillCellIDs() {
        guard cellIDs == nil else { return }
        var ids = UniqueIDs(expectedCount: max(outlineCells.count, earlier?.rendered.outline.cells.count ?? 0))
        for cell in outlineCells { _ = ids.insert(cell.id) }
        cellIDs = ids
    }
}

extension [UInt8] {
    /// Whether `==` takes no other text for what stands in a range: of plain characters only these have a twin, as
    /// U+212A for `K`.
    func isPlain(in range: Range<Int>) -> Bool {
        withUnsafeBufferPointer { bytes in
            // To the end, which the compiler does many bytes at a time.
            var twins: UInt8 = 0
            for byte in UnsafeBufferPointer(rebasing: bytes[range]) {
                let isTwin = byte >= 0x80 || byte == UInt8(ascii: "K") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "`")
                twins |= isTwin ? 1 : 0
            }
            return twins == 0
        }
    }
}
