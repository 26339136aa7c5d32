import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@Suite("Clients that race", .serialized, .timeLimit(.minutes(1))) struct RaceTests {
    /// The parameter that selects a contract for 90 t. The scheduled deliveries weigh 66.5 t in total, and one of them is not weighed yet.
    private static let contract = "contract=240311-000"
    private static let rounds = 10

    @Test(arguments: Replicas.Engine.allCases)
    func twoConcurrentDeliveriesAreBothScheduledIfBothFitIntoTheContract(on engine: Replicas.Engine) async throws {
        try await withReplicas(on: engine) { course in
            for _ in 0..<Self.rounds {
                let answers = try await course.race("schedule", Array(repeating: schedule(1_000), count: 2))
                #expect(answers.map(\.status) == [200, 200])
            }
            #expect(try await course.page().kilograms == 53_600 + 12_500 + 2 * Self.rounds * 1_000)
        }
    }

    @Test(arguments: Replicas.Engine.allCases)
    func onlyOneOfTwoConcurrentDeliveriesIsScheduledIfOnlyOneFitsIntoTheContract(on engine: Replicas.Engine) async throws {
        try await withReplicas(on: engine) { course in
            let before = try await course.page().deliveries
            for _ in 0..<Self.rounds {
                let answers = try await course.race("schedule", Array(repeating: schedule(12_000), count: 2))
                #expect(answers.map(\.status).sorted() == [200, 422])
                for refused in answers where refused.status == 422 { try expectNoRoom(in: refused) }
                let added = try await course.page().deliveries.filter { !before.contains($0) }
                try #require(added.map(\.kilograms) == [12_000])
                let cancelled = try await course.race("cancel", [#"{"delivery":"\#(added[0].id)"}"#])
                #expect(cancelled.map(\.status) == [200])
            }
            #expect(try await course.page().deliveries == before)
        }
    }

    @Test(arguments: Replicas.Engine.allCases)
    func onlyOneOfTwoConcurrentCancellationsSucceeds(on engine: Replicas.Engine) async throws {
        try await withReplicas(on: engine) { course in
            for id in ["7512-1", "7548-1", "7559-1"] {
                let answers = try await course.race("cancel", Array(repeating: #"{"delivery":"\#(id)"}"#, count: 2))
                #expect(answers.map(\.status).sorted() == [200, 422])
            }
            #expect(try await course.page().deliveries == [])
        }
    }

    @Test(arguments: Replicas.Engine.allCases)
    func onlyOneOfTwoConcurrentWeighingsSucceedsIfBothTogetherExceedTheContract(on engine: Replicas.Engine) async throws {
        try await withReplicas(on: engine) { course in
            // At most 94.5 t may be weighed in total. The two deliveries first weigh 26.42 t and 27.18 t. Each new weight fits only if the
            // other delivery still has its first weight.
            for round in 0..<Self.rounds {
                let answers = try await course.race("weigh", [weigh("7512-1", 67_320), weigh("7548-1", 68_080)])
                #expect(answers.map(\.status).sorted() == [200, 422])
                for refused in answers where refused.status == 422 { try expectNoRoom(in: refused) }
                #expect(try await course.page().weighedKilograms == 94_500, "in round \(round)")
                let back = try await course.race("weigh", [weigh("7512-1", 26_420), weigh("7548-1", 27_180)])
                #expect(back.map(\.status) == [200, 200])
            }
            #expect(try await course.page().weighedKilograms == 53_600)
        }
    }

    @Test(arguments: Replicas.Engine.allCases)
    func anActionIsPerformedOncePerIdempotencyKey(on engine: Replicas.Engine) async throws {
        try await withReplicas(on: engine) { course in
            for round in 0..<Self.rounds {
                let before = try await course.page().deliveries.count
                let key: Headers = ["Idempotency-Key": "\"key \(round)\""]
                let answers = try await course.race("schedule", Array(repeating: schedule(500), count: 6), key)
                // A request is answered with 409 while the first request with its key is in progress.
                #expect(Set(answers.map(\.status)).subtracting([200, 409]) == [])
                #expect(answers.contains { $0.status == 200 })
                let again = try await course.race("schedule", [schedule(500), schedule(501)], key)
                #expect(Set(again.map(\.status)).subtracting([200, 409, 422]) == [])
                #expect(try await course.page().deliveries.count == before + 1)
            }
        }
    }

    /// Runs `body` with replicas. Afterwards, expects that the totals are correct and that the servers stop cleanly.
    private func withReplicas(on engine: Replicas.Engine, _ body: (RaceCourse) async throws -> Void) async throws {
        let replicas = try await Replicas(on: engine)
        let course = RaceCourse(over: replicas, Self.contract)
        try await body(course)
        try await course.page().expectTotals()
        try replicas.expectNothingOverbooked()
        await replicas.stop()
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

/// A helper that sends actions on one contract to the replicas at the same time.
private final class RaceCourse {
    private let replicas: Replicas
    private let query: String
    /// The latest position in the responses so far. Later reads at any replica must include the commit at this position.
    private var position: Position?
    private var pageCount = 0

    init(over replicas: Replicas, _ query: String) {
        (self.replicas, self.query) = (replicas, query)
    }

    /// Sends one request for each input, all at the same time. Each request has its own connection, and the replicas are used in
    /// turn.
    func race(_ action: String, _ inputs: [String], _ headers: Headers = [:]) async throws -> [RawResponse] {
        var (headers, clients) = (headers, [RawClient]())
        headers.append("Content-Type", "application/json")
        for index in inputs.indices {
            clients.append(try await RawClient(replicas.servers[index % replicas.servers.count].address))
        }
        let target = "/screens/deliveries/actions/\(action)?\(query)"
        let answers = try await withThrowingTaskGroup(of: (Int, RawResponse).self) { group in
            for (index, (client, input)) in zip(clients, inputs).enumerated() {
                group.addTask { [headers] in (index, try await client.ask("POST", target, headers, #"{"input":\#(input)}"#)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        position = (answers.map(replicas.position) + [position]).compactMap(\.self).max()
        return answers
    }

    /// Returns the contract as the next replica shows it.
    func page() async throws -> ContractPage {
        pageCount += 1
        let answer = try await replicas.get(
            "/screens/deliveries?\(query)", from: pageCount % replicas.servers.count, at: position
        )
        return try ContractPage(try JSONReader.read(answer.body))
    }
}
