import ExampleRecords
import TemporaryDatabase
import Testing

extension StoreTests {
    private static let kekes = Mountain(
        id: "0-kekes", name: "Kékes ⛰", metres: 1014, range: TranslatedText(english: "Matra", french: "Mátra"),
        countries: ["HU", "SK"]
    )

    @Test(arguments: Engine<MountainsTransaction>.all)
    func mountainsComeInTheOrderOfTheirIDs(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let mountains = try await store.read { try $0.mountains() }
            #expect(mountains == Examples.mountains.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) })
        }
    }

    @Test(arguments: Engine<MountainsTransaction>.all)
    func aMountainIsInsertedReplacedAndDeleted(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            var mountain = Self.kekes
            try await store.write { [mountain] in try $0.insertMountain(mountain) }
            #expect(try await store.read { try $0.mountains().first } == mountain)
            mountain.range = nil
            mountain.countries = []
            try await store.write { [mountain] in try $0.replaceMountain(mountain) }
            #expect(try await store.read { try $0.mountains().first } == mountain)
            #expect(try await store.write { try $0.deleteMountain("0-kekes") })
            #expect(try await store.read { try $0.mountains().count } == Examples.mountains.count)
            #expect(announcements.commits == [["mountains"], ["mountains"], ["mountains"]])
        }
    }

    @Test(arguments: Engine<MountainsTransaction>.all)
    func mountainWritesThatChangeNothingAnnounceNothing(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.write { try !$0.deleteMountain("none") })
            #expect(try await store.write { try !$0.deleteMountain("k2\0") })
            try await store.write { store in
                let first = try #require(try store.mountains().first)
                try store.replaceMountain(first)
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<MountainsTransaction>.all)
    func aMountainIsInsertedOnceAndReplacedOnlyIfThere(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: MountainsStoreError.mountainExists(id: "k2")) {
                let twin = Mountain(id: "k2", name: "", metres: 1, range: nil, countries: [])
                try await store.write { try $0.insertMountain(twin) }
            }
            await #expect(throws: MountainsStoreError.noMountain(id: "0-kekes")) {
                try await store.write { try $0.replaceMountain(Self.kekes) }
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<MountainsTransaction>.all)
    func readingMountainsRecordsTheirTopic(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            #expect(try await store.topics { _ = try $0.mountains() } == ["mountains"])
        }
    }
}
