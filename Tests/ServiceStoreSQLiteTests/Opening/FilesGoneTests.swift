import Foundation
import ScreenService
@testable import ServiceStoreSQLite
import Synchronization
import TemporaryDatabase
import Testing

@Suite("A database whose files go") struct FilesGoneTests {
    private static let gone = DataUnavailable(reason: "the database was moved, replaced or deleted")

    @Test(arguments: ["", "-wal"], [false, true])
    func itIsOutOfReachUntilTheyAreBack(_ suffix: String, isReplaced: Bool) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let lines = LoggedLines()
        let store = try folder.open(announcements, logger: lines.logger)
        try await store.write { try $0.note("before") }
        // By a reader that goes on with the files that it has open.
        #expect(try await store.read { try $0.noteCount() } == 1)
        try folder.hide(suffix)
        if isReplaced { try Data().write(to: URL(fileURLWithPath: folder.database + suffix)) }

        for _ in 0..<2 {
            await #expect(throws: Self.gone) { try await store.read { try $0.noteCount() } }
            await #expect(throws: Self.gone) { try await store.write { try $0.note("meanwhile") } }
            await #expect(throws: Self.gone) { try await store.history.write(.saving(.some(version: 1))) }
            await #expect(throws: Self.gone) { try await store.history.records(of: [HistoryRecord.some(version: 1).key]) }
            await #expect(throws: Self.gone) { try await store.checkReadable() }
            await #expect(throws: Self.gone) { try await store.secret(byteCount: 192) }
        }
        #expect(announcements.commits == [["note/before"]])
        #expect(lines.lines == ["error: a file of the database was moved, replaced or deleted"])

        try folder.bringBack(suffix)
        #expect(try await store.read { try $0.isNoted("meanwhile") } == false)
        try await store.write { try $0.note("after") }
        #expect(lines.lines.dropFirst() == ["notice: the files of the database are back"])
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.read { store in
            try ["before", "after"].map { try store.isNoted($0) }
        } == [true, true])
        await reopened.close()
    }

    @Test func aReaderNeverReadsWhatTookItsPlace() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let otherStore = try other.open()
        try await otherStore.write { try $0.note("other") }
        await otherStore.close()
        let store = try folder.open()
        try folder.hide("")
        try FileManager.default.copyItem(atPath: other.database, toPath: folder.database)
        await #expect(throws: Self.gone) { try await store.read { try $0.noteCount() } }
        try folder.bringBack("")
        #expect(try await store.read { try $0.noteCount() } == 0)
        await store.close()
    }

    @Test func whatIsWrittenWhileTheyGoIsNotKept() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        await #expect(throws: Self.gone) {
            try await store.write { store in
                try store.note("demo")
                try folder.hide("")
            }
        }
        #expect(announcements.commits == [])
        try folder.bringBack("")
        #expect(try await store.read { try $0.isNoted("demo") } == false)
        await store.close()
    }

    @Test func aCommitDuringWhichTheyGoIsNotAcknowledged() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        _ = announcements.topics.observe { _ in
            try? folder.hide("")
            return nil
        }
        let store = try folder.open(announcements)
        await #expect(throws: Self.gone) { try await store.write { try $0.note("demo") } }
        try folder.bringBack("")
        #expect(try await store.read { try $0.isNoted("demo") })
        await store.close()
    }
}
