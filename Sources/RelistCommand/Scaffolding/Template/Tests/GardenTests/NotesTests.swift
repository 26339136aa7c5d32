import RelistTesting
import Testing

@testable import Garden

/// Tests of the screen without a server.
struct NotesTests {
    private func withClient(_ body: (TestClient) async throws -> Void) async throws {
        try await withTemporaryStore(tables: [NoteStore.table]) { store in
            try await body(TestClient(screens: [Notes(notes: NoteStore(store: store))], store: store))
        }
    }

    @Test func addedNotesAreSorted() async throws {
        try await withClient { client in
            let first = try await client.perform("add", ["text": "Water the roses"], on: client.screen("notes"))
            let second = try await client.perform("add", ["text": "Buy seeds"], on: first.after)
            #expect(second.inserted == ["Buy seeds"] && second.moved == [] && second.updated == [])
            #expect(second.after.cells.map(\.id) == ["Buy seeds", "Water the roses"])
        }
    }

    @Test func choosingANoteRemovesIt() async throws {
        try await withClient { client in
            let added = try await client.perform("add", ["text": "Buy seeds"], on: client.screen("notes"))
            #expect(try await client.perform("remove", ["text": "Buy seeds"], on: added.after).deleted == ["Buy seeds"])
        }
    }

    @Test func aNoteCannotBeAddedTwice() async throws {
        try await withClient { client in
            let added = try await client.perform("add", ["text": "Buy seeds"], on: client.screen("notes"))
            await #expect(throws: BrokenRules([BrokenRule(field: "text", "There is such a note already.")])) {
                try await client.perform("add", ["text": "Buy seeds"], on: added.after)
            }
        }
    }
}
