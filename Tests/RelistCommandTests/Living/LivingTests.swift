import RawClient
import ScreenWire
import SeededRandom
import Testing

/// Who waits for what never comes would wait for good.
@Suite("Many clients at once", .serialized, .timeLimit(.minutes(2))) struct LivingTests {
    private static let clientCount = 24
    private static let stepCount = 40

    @Test(arguments: Replicas.Engine.allCases)
    func eachHoldsAfterEachStepWhatAGetReturnsForItsVersion(on engine: Replicas.Engine) async throws {
        let seed = Seeds.given ?? UInt64.random(in: 0 ... .max)
        print("the seed is \(seed)")
        let replicas = try await Replicas(on: engine)
        let (ledger, chronicle) = (Ledger(), Chronicle(hasPositions: replicas.hasPositions))
        for target in Ground.written { chronicle.noteBeginning(try JSONReader.read(try await replicas.get(target).body)) }
        let followers = try await followers(of: replicas, chronicle)
        let following = followers.map { follower in Task { try await follower.follow() } }
        try await wander(over: replicas, ledger, chronicle, seed)
        print(ledger.summary)
        for way in ["act", "post", "poll", "wait", "stream"] { #expect(ledger.counted("\(way) changeset") > 0, "\(way)") }
        #expect(ledger.counted("return, known") > 0)

        let end = try await end(of: replicas, chronicle)
        for follower in followers { #expect(await follower.holds(end[follower.target] ?? "")) }
        try replicas.expectNothingOverbooked()
        await replicas.stop()
        for (follower, last) in zip(followers, following) { #expect(try await last.value == end[follower.target]) }
        try chronicle.judge()
    }

    /// Clients that follow all that is written, at each of the replicas.
    private func followers(of replicas: Replicas, _ chronicle: Chronicle) async throws -> [Follower] {
        var followers: [Follower] = []
        for replica in replicas.servers.indices {
            for target in Ground.written { followers.append(try await Follower(of: target, at: replica, of: replicas, chronicle)) }
        }
        return followers
    }

    private func wander(over replicas: Replicas, _ ledger: Ledger, _ chronicle: Chronicle, _ seed: UInt64) async throws {
        let grounds = Ground.all()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.clientCount {
                group.addTask {
                    let wanderer = try await Wanderer(
                        number, on: grounds[number % grounds.count], replicas, ledger, chronicle, seed: seed &+ UInt64(number)
                    )
                    for _ in 0..<Self.stepCount { try await wanderer.step() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Expects that all replicas show the same once nobody writes.
    ///
    /// - Returns: the version of each of the screens that were written.
    private func end(of replicas: Replicas, _ chronicle: Chronicle) async throws -> [String: String] {
        var versions: [String: String] = [:]
        for target in Ground.written {
            let bytes = try await replicas.get(target, at: chronicle.lastPosition).body
            for replica in replicas.servers.indices.dropFirst() {
                #expect(try await replicas.get(target, from: replica, at: chronicle.lastPosition).body == bytes)
            }
            let document = try JSONReader.read(bytes)
            versions[target] = document["version"]?.text
            if target.contains("contract") { try ContractPage(document).expectTotals() }
        }
        return versions
    }
}
