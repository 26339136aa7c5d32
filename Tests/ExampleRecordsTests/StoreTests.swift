import Dispatch
import ExampleRecords
import ScreenService
import TemporaryDatabase
import Testing

/// What every store does, whatever it keeps its records in. Its screens lie beside this file.
@Suite("A store") struct StoreTests {
    private struct Refusal: Error, Equatable {}

    @Test(arguments: Engine<PostsTransaction>.all)
    func aWriteThatThrowsKeepsNothingAndAnnouncesNothing(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: Refusal()) {
                try await store.write { store in
                    try store.deletePost(1)
                    throw Refusal()
                }
            }
            #expect(try await store.read { try $0.postCount() } == 120)
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func aWriteAnnouncesAllItTouchedOnce(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { store in
                try store.deleteDelivery("7561-1", ofContract: "240189-000")
                try store.deleteDelivery("7556-1", ofContract: "240189-000")
                try store.insertContract(.some("1"))
                _ = try store.delivery("7559-1", ofContract: "240311-000")
            }
            #expect(announcements.commits == [["deliveries/240189-000", "contract/1", "contracts"]])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aWriteReadsWhatItWrote(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let isConnected = try await store.write { store in
                try store.connect("demo")
                return try store.profile(of: "demo").isConnected
            }
            #expect(isConnected)
        }
    }

    @Test(arguments: Engine<PostsTransaction>.all)
    func aReadSeesOneStateWhileAWriteHappens(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let (hasBegun, began) = AsyncStream.makeStream(of: Void.self)
            let written = DispatchSemaphore(value: 0)
            async let counts = store.read { store in
                let before = try store.postCount()
                began.finish()
                written.wait()
                return [before, try store.postCount()]
            }
            for await _ in hasBegun {}
            try await store.write { _ = try $0.deletePost(1) }
            written.signal()
            #expect(try await counts == [120, 120])
            #expect(announcements.commits == [["posts"]])
            #expect(try await store.read { try $0.postCount() } == 119)
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func aReadRecordsAllItReads(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let topics = try await store.topics { store in
                _ = try store.contract("240189-000")
                _ = try store.deliveryTotals(ofContract: "240189-000")
            }
            #expect(topics == ["contract/240189-000", "deliveries/240189-000"])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func aWriteOfACancelledTaskIsCommittedAndAnnounced(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.write { try $0.connect("demo") }
            }
            try await task.value
            #expect(announcements.commits == [["settings/demo"]])
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func writesThatMeetAreDoneOneAfterTheOther(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await store.write { store in
                            let name = try store.profile(of: "demo").firstName
                            try store.rename("demo", firstName: name + "x", familyName: "")
                        }
                        // By itself or with others, but before it returns.
                        #expect(!announcements.commits.isEmpty)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.read { try $0.profile(of: "demo").firstName.count } == 50)
            #expect(Set(announcements.commits).count == 1)
        }
    }

    @Test(arguments: Engine<SettingsTransaction>.all)
    func textWithAZeroCharacterIsRefused(engine: Engine<SettingsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: RecordValueError.zeroCharacter) { try await store.write { try $0.rename("demo", firstName: "a\0b", familyName: "") } }
            await #expect(throws: RecordValueError.zeroCharacter) { try await store.write { try $0.connect("demo\0") } }
            #expect(announcements.commits == [])
        }
    }
}
