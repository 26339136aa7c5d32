import ScreenDiff

/// Returns the number of cells and sections that are deleted, inserted, moved or updated. If an operation affects several
/// consecutive cells, each cell is counted.
func operationCount(of stages: [Stage]) -> Int {
    stages.reduce(0) { $0 + cellOperations($1) + sectionOperations($1) }
}

private func cellOperations(_ stage: Stage) -> Int {
    let deletes = stage.deleteCells.reduce(0) { $0 + $1.count }
    let inserts = stage.insertCells.reduce(0) { $0 + $1.run.count }
    let moves = stage.moveCells.reduce(0) { $0 + $1.count }
    return stage.updateCells.count + deletes + inserts + moves
}

private func sectionOperations(_ stage: Stage) -> Int {
    stage.insertSections.count + stage.deleteSections.count + stage.moveSections.count + stage.updateSections.count
}
