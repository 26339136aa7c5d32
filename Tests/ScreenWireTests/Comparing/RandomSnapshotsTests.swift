import DocumentTexts
import ScreenWire
import Testing

@Suite("Random snapshots") struct RandomSnapshotsTests {
    /// Printed with a failure by its argument; fixed, so that a run can be repeated.
    static let seeds: [UInt64] = Array(0..<400)

    @Test(arguments: seeds) func aDiffAppliedGivesTheNewSnapshotExactly(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        #expect(try DocumentTexts.applied(changeset, to: source) == DocumentTexts.rewritten(target), "\(changeset)")
    }

    @Test(arguments: seeds) func aDamagedChangesetIsAppliedOrRefused(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        for _ in 0..<20 {
            let damaged = documents.damaged(changeset)
            do {
                let applied = try DocumentTexts.applied(damaged, to: source)
                #expect(try DocumentTexts.rewritten(applied) == applied, "\(damaged)")
            } catch is DocumentFaults {
            } catch is JSONSyntaxError {
            }
        }
    }

    @Test func tenThousandCellsAreNoMatter() throws {
        let cells = (0..<10_000).map { "c\($0)" }
        let source = DocumentTexts.snapshot("a: \(cells.prefix(5_000).joined(separator: " ")) | b: \(cells.dropFirst(5_000).joined(separator: " "))")
        let turned = Array(cells.dropFirst(100).reversed())
        let target = DocumentTexts.snapshot("b: \(turned.prefix(3_000).joined(separator: " ")) | a: \(turned.dropFirst(3_000).joined(separator: " ")) x", version: "v2")
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        #expect(try DocumentTexts.applied(changeset, to: source) == target)
    }
}
