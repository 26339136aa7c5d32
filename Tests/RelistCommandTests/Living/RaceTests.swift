import Glibc
import HTTPServer
import RawClient
import ScreenWire
import TemporaryDatabase
import Testing

@Suite("Clients that race", .serialized, .timeLimit(.minutes(1))) struct RaceTests {
    /// 90 t are contracted, and 66.5 t scheduled, of which one delivery is not weighed.
    private static let contract = "contract=240311-000"
    private static let rounds = 10

    @Test func bothGetWhatThereIsRoomFor() async throws {
        try await withServer { server in
            for _ in 0..<Self.rounds {
                let answers = try await race(server, "schedule", Array(repeating: schedule(1_000), count: 2))
                #expect(answers.map(\.status) == [200, 200])
            }
            #expect(try await page(server).kilograms == 53_600 + 12_500 + 2 * Self.rounds * 1_000)
        }
    }

    @Test func ofTwoWhoWantTheLastRoomOneIsToldThatThereIsNone() async throws {
        try await withServer { server in
            let before = try await page(server).deliveries
            for _ in 0..<Self.rounds {
                let answers = try await race(server, "schedule", Array(repeating: schedule(12_000), count: 2))
                #expect(answers.map(\.status).sorted() == [200, 422])
                for refused in answers where refused.status == 422 { try expectNoRoom(in: refused) }
                let added = try await page(server).deliveries.filter { !before.contains($0) }
                try #require(added.map(\.kilograms) == [12_000])
                let cancelled = try await race(server, "cancel", [#"{"delivery":"\#(added[0].id)"}"#])
                #expect(cancelled.map(\.status) == [200])
            }
            #expect(try await page(server).deliveries == before)
        }
    }

    @Test func ofTwoWhoCancelOneDeliveryOneIsToldThatItIsGone() async throws {
        try await withServer { server in
            for id in ["7512-1", "7548-1", "7559-1"] {
                let answers = try await race(server, "cancel", Array(repeating: #"{"delivery":"\#(id)"}"#, count: 2))
                #expect(answers.map(\.status).sorted() == [200, 422])
            }
            #expect(try await page(server).deliveries == [])
        }
    }

    @Test func ofTwoWeighingsThatTogetherAreTooMuchOneIsRefused() async throws {
        try await withServer { server in
            // At most 94.5 t may be weighed in all, and 26.42 t and 27.18 t are.
            for round in 0..<Self.rounds {
                let answers = try await race(server, "weigh", [weigh("7512-1", 67_320), weigh("7548-1", 68_080)])
                #expect(answers.map(\.status).sorted() == [200, 422])
                for refused in answers where refused.status == 422 { try expectNoRoom(in: refused) }
                #expect(try await page(server).weighedKilograms == 94_500, "in round \(round)")
                let back = try await race(server, "weigh", [weigh("7512-1", 26_420), weigh("7548-1", 27_180)])
                #expect(back.map(\.status) == [200, 200])
            }
            #expect(try await page(server).weighedKilograms == 53_600)
        }
    }

    @Test func whatIsAskedForUnderOneKeyIsDoneOnce() async throws {
        try await withServer { server in
            for round in 0..<Self.rounds {
                let before = try await page(server).deliveries.count
                let key: Headers = ["Idempotency-Key": "\"key \(round)\""]
                let answers = try await race(server, "schedule", Array(repeating: schedule(500), count: 6), key)
                // Who came while the first was under way is told so.
                #expect(Set(answers.map(\.status)).subtracting([200, 409]) == [])
                #expect(answers.contains { $0.status == 200 })
                let again = try await race(server, "schedule", [schedule(500), schedule(501)], key)
                #expect(Set(again.map(\.status)).subtracting([200, 409, 422]) == [])
                #expect(try await page(server).deliveries.count == before + 1)
            }
        }
    }

    // MARK: - Racing

    /// Runs `body`, then expects that all totals are right and that the server ends well.
    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        let server = try await RunningServer(in: try TemporaryFolder())
        try await body(server)
        try await page(server).expectTotals()
        let end = await server.stop(SIGTERM)
        #expect(end.status == 0 && end.errors == "")
    }

    /// Has as many clients as inputs, each on a connection of its own, ask at the same time.
    private func race(
        _ server: RunningServer, _ action: String, _ inputs: [String], _ headers: Headers = [:]
    ) async throws -> [RawResponse] {
        var (headers, clients) = (headers, [RawClient]())
        headers.append("Content-Type", "application/json")
        for _ in inputs { clients.append(try await RawClient(server.address)) }
        let target = "/screens/deliveries/actions/\(action)?\(Self.contract)"
        return try await withThrowingTaskGroup(of: (Int, RawResponse).self) { group in
            for (index, (client, input)) in zip(clients, inputs).enumerated() {
                group.addTask { [headers] in (index, try await client.ask("POST", target, headers, #"{"input":\#(input)}"#)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func page(_ server: RunningServer) async throws -> ContractPage {
        try ContractPage(try await server.get("/screens/deliveries?\(Self.contract)"))
    }

    private func expectNoRoom(in answer: RawResponse) throws {
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        let problem = try JSONReader.read(answer.body)
        #expect(problem["type"]?.text == "urn:relist:problem:broken-rule")
        #expect(problem["errors"]?.elements.map { $0["pointer"]?.text } == ["/input/kilograms"])
        #expect(problem["errors"]?.elements.first?["detail"]?.text?.isEmpty == false)
    }

    private func schedule(_ kilograms: Int) -> String { #"{"day":"2018-07-20","kilograms":\#(kilograms)}"# }
    private func weigh(_ id: String, _ kilograms: Int) -> String { #"{"delivery":"\#(id)","kilograms":\#(kilograms)}"# }
}
