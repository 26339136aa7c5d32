import DocumentTexts
import ScreenWire
import SeededRandom
import Testing

@Suite("Random snapshots") struct RandomSnapshotsTests {
    static let seeds = Seeds.first(400)

    @Test(arguments: seeds) func applyingAChangesetToTheOldSnapshotResultsInTheNewSnapshot(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        #expect(try DocumentTexts.applied(changeset, to: source) == RandomSnapshots.written(target), "\(changeset)")
    }

    @Test(arguments: seeds) func aDamagedChangesetIsRejectedOrResultsInAValidSnapshot(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        for _ in 0..<20 {
            let damaged = documents.damaged(changeset)
            guard let applied = try? DocumentTexts.applied(damaged, to: source) else { continue }
            #expect(try DocumentTexts.rewritten(applied) == applied, "\(damaged)")
        }
    }

    @Test func aChangesetOfTenThousandCellsResultsInTheNewSnapshot() throws {
        let cells = (0..<10_000).map { "c\($0)" }
        let source = DocumentTexts.snapshot(
            "a: \(cells.prefix(5_000).joined(separator: " ")) | b: \(cells.dropFirst(5_000).joined(separator: " "))")
        let turned = Array(cells.dropFirst(100).reversed())
        let target = DocumentTexts.snapshot(
            "b: \(turned.prefix(3_000).joined(separator: " ")) | a: \(turned.dropFirst(3_000).joined(separator: " ")) x", version: "v2")
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        #expect(try DocumentTexts.applied(changeset, to: source) == target)
    }
}
