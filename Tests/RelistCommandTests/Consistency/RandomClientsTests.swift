import RawClient
import ScreenWire
import SeededRandom
import Testing

/// Tests with random clients that use all replicas. A test that fails may hang until the time limit.
@Suite("Many random clients", .serialized, .timeLimit(.minutes(2))) struct RandomClientsTests {
    private static let clientCount = 24
    private static let stepCount = 40

    @Test(arguments: Replicas.Engine.allCases)
    func everyRandomClientHoldsTheContentOfItsVersion(on engine: Replicas.Engine) async throws {
        let seed = Seeds.given ?? UInt64.random(in: 0 ... .max)
        print("the seed is \(seed)")
        let replicas = try await Replicas(on: engine)
        let (known, log) = (KnownVersions(), ConsistencyLog(hasPositions: replicas.hasPositions))
        for target in Scenario.writtenTargets { log.noteInitialState(try JSONReader.read(try await replicas.get(target).body)) }
        let followers = try await followers(of: replicas, log)
        let following = followers.map { follower in Task { try await follower.follow() } }
        try await runClients(over: replicas, known, log, seed)
        print(known.summary)
        for way in ["act", "post", "poll", "wait", "stream"] { #expect(known.counted("\(way) changeset") > 0, "\(way)") }
        #expect(known.counted("return, known") > 0)

        let versions = try await expectEqualScreens(of: replicas, log)
        for follower in followers { #expect(await follower.holds(versions[follower.target] ?? "")) }
        try replicas.expectNothingOverbooked()
        await replicas.stop()
        for (follower, last) in zip(followers, following) { #expect(try await last.value == versions[follower.target]) }
        try log.check()
    }

    /// Returns clients that follow all views of `Scenario.writtenTargets`. Each view is followed at each replica.
    private func followers(of replicas: Replicas, _ log: ConsistencyLog) async throws -> [Follower] {
        var followers: [Follower] = []
        for replica in replicas.servers.indices {
            for target in Scenario.writtenTargets { followers.append(try await Follower(of: target, at: replica, of: replicas, log)) }
        }
        return followers
    }

    private func runClients(over replicas: Replicas, _ known: KnownVersions, _ log: ConsistencyLog, _ seed: UInt64) async throws {
        let scenarios = Scenario.all()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.clientCount {
                group.addTask {
                    let client = try await RandomClient(
                        number, on: scenarios[number % scenarios.count], replicas, known, log, seed: seed &+ UInt64(number)
                    )
                    for _ in 0..<Self.stepCount { try await client.step() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Expects that all replicas show equal content after the last write.
    ///
    /// - Returns: the version of each view in `Scenario.writtenTargets`.
    private func expectEqualScreens(of replicas: Replicas, _ log: ConsistencyLog) async throws -> [String: String] {
        var versions: [String: String] = [:]
        for target in Scenario.writtenTargets {
            let bytes = try await replicas.get(target, at: log.lastPosition).body
            for replica in replicas.servers.indices.dropFirst() {
                #expect(try await replicas.get(target, from: replica, at: log.lastPosition).body == bytes)
            }
            let document = try JSONReader.read(bytes)
            versions[target] = document["version"]?.text
            if target.contains("contract") { try ContractPage(document).expectTotals() }
        }
        return versions
    }
}
