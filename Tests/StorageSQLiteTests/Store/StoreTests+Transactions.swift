import Dispatch
import Storage
import Testing

extension StoreTests {
    private struct Refusal: Error, Equatable {}

    @Test(arguments: StoreBackend.all)
    func aWriteThatThrowsKeepsNothingAndAnnouncesNothing(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
            await #expect(throws: Refusal()) {
                try await store.write { store in
                    try store.connect("demo")
                    try store.deletePost(1)
                    throw Refusal()
                }
            }
            #expect(try await store.read { try $0.profile(of: "demo") } == .initial)
            #expect(try await store.read { try $0.postCount() } == 120)
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: StoreBackend.all)
    func aWriteAnnouncesAllItTouchedOnce(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
            try await store.write { store in
                try store.connect("demo")
                try store.deletePost(1)
                try store.deletePost(2)
                _ = try store.contractNames()
            }
            #expect(announcements.commits == [["settings/demo", "posts"]])
        }
    }

    @Test(arguments: StoreBackend.all)
    func aWriteReadsWhatItWrote(backend: StoreBackend) async throws {
        try await backend.withStore { store, _ async throws in
            let isConnected = try await store.write { store in
                try store.connect("demo")
                return try store.profile(of: "demo").isConnected
            }
            #expect(isConnected)
        }
    }

    @Test(arguments: StoreBackend.all)
    func aReadSeesOneStateWhileAWriteHappens(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
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

    @Test(arguments: StoreBackend.all)
    func aReadRecordsAllItReads(backend: StoreBackend) async throws {
        try await backend.withStore { store, _ async throws in
            let topics = try await store.topics { store in
                _ = try store.profile(of: "demo")
                _ = try store.postCount()
            }
            #expect(topics == ["settings/demo", "posts"])
        }
    }

    @Test(arguments: StoreBackend.all)
    func aWriteOfACancelledTaskIsCommittedAndAnnounced(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.write { try $0.connect("demo") }
            }
            try await task.value
            #expect(announcements.commits == [["settings/demo"]])
        }
    }

    @Test(arguments: StoreBackend.all)
    func writesThatMeetAreDoneOneAfterTheOther(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await store.write { store in
                            let name = try store.profile(of: "demo").firstName
                            try store.rename("demo", firstName: name + "x", familyName: "")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.read { try $0.profile(of: "demo").firstName.count } == 50)
            #expect(announcements.commits.count == 50)
        }
    }

    @Test(arguments: StoreBackend.all)
    func textWithAZeroCharacterIsRefused(backend: StoreBackend) async throws {
        try await backend.withStore { store, announcements async throws in
            await #expect(throws: StoreError.zeroCharacter) {
                try await store.write { try $0.rename("demo", firstName: "a\0b", familyName: "") }
            }
            await #expect(throws: StoreError.zeroCharacter) {
                try await store.write { try $0.connect("demo\0") }
            }
            #expect(announcements.commits == [])
        }
    }
}
