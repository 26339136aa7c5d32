import Relist

@main struct Server {
    static func main() async throws {
        try await RelistServer(tables: [NoteStore.table]) { store, _ in
            [Notes(notes: NoteStore(store: store))]
        }.run()
    }
}
