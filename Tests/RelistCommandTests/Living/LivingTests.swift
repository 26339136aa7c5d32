import Glibc
import SeededRandom
import TemporaryDatabase
import Testing

/// Who waits for what never comes would wait for good.
@Suite("Many clients at once", .serialized, .timeLimit(.minutes(5))) struct LivingTests {
    private static let clientCount = 24
    private static let stepCount = 40

    @Test func eachHoldsAfterEachStepWhatAGetReturnsForItsVersion() async throws {
        let seed = Seeds.given ?? UInt64.random(in: 0 ... .max)
        print("the seed is \(seed)")
        let server = try await RunningServer(in: try TemporaryFolder())
        let (ledger, grounds) = (Ledger(), Ground.all())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.clientCount {
                group.addTask {
                    let wanderer = try await Wanderer(
                        on: grounds[number % grounds.count], server.address, ledger, seed: seed &+ UInt64(number)
                    )
                    for _ in 0..<Self.stepCount { try await wanderer.step() }
                }
            }
            try await group.waitForAll()
        }
        print(ledger.summary)
        for way in ["act", "post", "poll", "wait", "stream"] { #expect(ledger.counted("\(way) changeset") > 0, "\(way)") }
        for contract in ["240311-000", "240402-000"] {
            try ContractPage(try await server.get("/screens/deliveries?contract=\(contract)")).expectTotals()
        }
        let end = await server.stop(SIGTERM)
        #expect(end.status == 0 && end.errors == "")
    }
}
