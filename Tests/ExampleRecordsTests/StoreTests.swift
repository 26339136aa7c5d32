import TemporaryDatabase
import Testing

@testable import ExampleRecords

/// Tests of the stores of the example screens, on both engines. ``RecordTransactionTests`` tests the rules that all stores share.
@Suite("The stores of the examples") struct StoreTests {
    @Test(arguments: Engine<SettingsTransaction>.all)
    func aUserWithoutAStoredProfileHasTheInitialProfile(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            try await store.write { try $0.changeProfile(of: "demo") { $0.isConnected = true } }
            let others = try await store.read { store in
                try ["", "Demo", "demo ", "demo\0", "demo/", "d"].map { try store.profile(of: $0) }
            }
            #expect(others.allSatisfy { $0 == .initial })
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aChangedProfileIsReadBackAndAnnounced(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let profile = Profile(firstName: "Ada", familyName: "L’Éclair", email: "ada@example.org", hasPassword: false, isConnected: true)
            try await store.write { try $0.changeProfile(of: "demo") { $0 = profile } }
            #expect(try await store.read { try $0.profile(of: "demo") } == profile)
            try await store.write { try $0.changeProfile(of: "demo") { $0.isConnected = false } }
            #expect(try await store.read { try $0.profile(of: "demo").isConnected } == false)
            #expect(announcements.commits == [["settings/demo"], ["settings/demo"]])
            #expect(try await store.topics { _ = try $0.profile(of: "demo") } == ["settings/demo"])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aWriteThatDoesNotChangeTheProfileIsNotAnnounced(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { try $0.changeProfile(of: "demo") { $0.isConnected = false } }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aNameThatDiffersOnlyInUnicodeNormalizationIsStored(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            for name in ["Zo\u{EB}", "Zoe\u{308}", "Zoe\u{308}"] {
                try await store.write { try $0.changeProfile(of: "demo") { $0.firstName = name } }
                #expect(try await store.read { Array(try $0.profile(of: "demo").firstName.utf8) } == Array(name.utf8))
            }
            #expect(announcements.commits.count == 2)
        }
    }

    @Test(arguments: Engine<WiFiTransaction>.all)
    func changedWiFiSettingsAreReadBackAndAnnounced(engine: Engine<WiFiTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == .initial)
            try await store.write { try $0.changeWiFiSettings(of: "demo") { $0.joinedNetwork = "moulin" } }
            for _ in 0..<2 { try await store.write { try $0.changeWiFiSettings(of: "demo") { $0.isOn = false } } }
            let settings = WiFiSettings(isOn: false, joinedNetwork: "moulin")
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == settings)
            #expect(try await store.read { try $0.wifiSettings(of: "demo2") } == .initial)
            #expect(announcements.commits == Array(repeating: ["wifi/demo"], count: 2))
        }
    }

    @Test(arguments: Engine<MountainsTransaction>.all)
    func mountainsAreReadInTheOrderOfTheirIDs(engine: Engine<MountainsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let inserted = [
                Mountain(
                    id: "0-kekes", name: "Kékes ⛰", metres: 1014, range: TranslatedText(english: "Matra", french: "Mátra"),
                    countries: ["HU", "SK"]
                ),
                Mountain(id: "1-island", name: "", metres: 1, range: nil, countries: []),
            ]
            try await store.write { store in
                for mountain in inserted { try store.insertMountain(mountain) }
            }
            let mountains = try await store.read { try $0.mountains() }
            #expect(try mountains == inserted + Examples.mountains.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) })
            #expect(announcements.commits == [["mountains"]])
            #expect(try await store.topics { _ = try $0.mountains() } == ["mountains"])
        }
    }
}
