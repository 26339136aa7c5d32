import ExampleRecords
import TemporaryDatabase
import Testing

extension StoreTests {
    @Test(arguments: Engine<SettingsTransaction>.all)
    func aUserOfWhomNothingIsStoredHasTheInitialProfile(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let profile = try await store.read { try $0.profile(of: "nobody yet") }
            #expect(profile == .initial)
            #expect(profile.email == "hodor@hodor.hodor")
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func eachChangeOfAProfileIsReadBackAndAnnounced(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { try $0.rename("demo", firstName: "Ada", familyName: "L’Éclair") }
            try await store.write { try $0.changeEmail(of: "demo", to: "ada@example.org") }
            try await store.write { try $0.setHasPassword(false, of: "demo") }
            try await store.write { try $0.connect("demo") }
            let profile = try await store.read { try $0.profile(of: "demo") }
            #expect(
                profile
                    == Profile(
                        firstName: "Ada", familyName: "L’Éclair", email: "ada@example.org",
                        hasPassword: false, isConnected: true)
            )
            try await store.write { try $0.disconnect("demo") }
            #expect(try await store.read { try $0.profile(of: "demo").isConnected } == false)
            #expect(announcements.commits == Array(repeating: ["settings/demo"], count: 5))
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aUsersProfileIsNoOneElses(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            try await store.write { try $0.connect("demo") }
            let others = try await store.read { store in
                try ["", "Demo", "demo ", "demo\0", "demo/", "d"].map { try store.profile(of: $0) }
            }
            #expect(others.allSatisfy { $0 == .initial })
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aNameThatIsSpelledWithOtherBytesIsKept(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            for name in ["Zo\u{EB}", "Zoe\u{308}", "Zoe\u{308}"] {
                try await store.write { try $0.rename("demo", firstName: name, familyName: "") }
                let kept = try await store.read { try $0.profile(of: "demo").firstName }
                #expect(Array(kept.utf8) == Array(name.utf8))
            }
            #expect(announcements.commits.count == 2)
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func savingAnEqualProfileAnnouncesNothing(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { try $0.disconnect("demo") }
            try await store.write { try $0.saveProfile(.initial, of: "demo") }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func readingAProfileRecordsItsTopic(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            #expect(try await store.topics { _ = try $0.profile(of: "demo") } == ["settings/demo"])
        }
    }
}
