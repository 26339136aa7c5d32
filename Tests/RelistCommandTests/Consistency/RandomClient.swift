import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import SeededRandom
import Testing

/// A client that makes random requests for one screen at random replicas, and checks every response.
final class RandomClient {
    private enum Step: CaseIterable {
        case act, page, poll, wait, stream, disconnect, returnLater
    }

    /// A request that the client will send to one replica.
    private struct PlannedRequest {
        let replica: Int
        let request: Request
        let body: [UInt8]
        /// The position that the client sends. The response must include the commit at this position.
        let floor: Position?
    }

    private let name: String
    private let scenario: Scenario
    private let replicas: Replicas
    private let known: KnownVersions
    private let log: ConsistencyLog
    /// The connections of the client, one for each replica, in the order of the replicas.
    private let clients: [RawClient]
    private var random: SeededGenerator
    private var query: String
    private var held = HeldScreen()
    /// The latest position in the responses to the actions of the client.
    private var position: Position?

    init(
        _ number: Int, on scenario: Scenario, _ replicas: Replicas, _ known: KnownVersions, _ log: ConsistencyLog, seed: UInt64
    ) async throws {
        (self.scenario, self.replicas, self.known, self.log) = (scenario, replicas, known, log)
        name = "client \(number)"
        var clients: [RawClient] = []
        for server in replicas.servers { clients.append(try await RawClient(server.address)) }
        self.clients = clients
        random = SeededGenerator(seed: seed)
        query = scenario.queries[0]
    }

    /// Makes one or more random requests, and then checks the content that the client holds.
    func step() async throws {
        switch Step.allCases.randomElement(using: &random)! {
        case .act: _ = try await act(applying: true)
        case .page:
            query = scenario.queries.randomElement(using: &random)!
            try await catchUp()
        case .poll: try await poll()
        case .wait: try await wait()
        case .stream: try await stream()
        case .disconnect: try await stream(missing: try await disconnect())
        case .returnLater: try await returnLater()
        }
        try await verify()
    }

    // MARK: - Steps

    /// Sends a request that waits for a change. The client then makes a change itself, or disconnects.
    private func wait() async throws {
        let planned = planned("GET", changes + version, ["Prefer": scenario.actions.isEmpty ? "wait=0" : "wait=60"])
        let other = try await RawClient(replicas.servers[planned.replica].address)
        try await other.send(planned.request, body: planned.body)
        let isAnswered = try await act(applying: false) || held.version == nil || scenario.actions.isEmpty
        guard isAnswered else { return }
        let answer = try await other.response()
        #expect(answer.status == 200)
        try apply(answer.body, "wait", planned)
    }

    /// Opens a stream, makes changes, and checks the events.
    ///
    /// - Parameter missing: true if there is a change that the client has not received, because it disconnected from its previous stream.
    private func stream(missing: Bool = false) async throws {
        let (other, planned) = try await listen()
        // The server sends a document only if the client holds no content, or if there is a change that the client has not received.
        var isNews = missing || held.version == nil
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if try await act(applying: false) { isNews = true }
            guard isNews else { return }
            let event = try #require(await other.documentEvent())
            noteHeld("stream \(try held.applyEvent(event))", planned, notBefore: planned.floor)
            isNews = false
        }
    }

    /// Opens a stream, and disconnects while an event is being received.
    ///
    /// - Returns: true if a change was made. In this case, the client has not applied the event of this change, because it has
    ///   disconnected.
    private func disconnect() async throws -> Bool {
        let (other, _) = try await listen()
        guard try await act(applying: false) else { return false }
        try await other.waitForBytes()
        return true
    }

    private func listen() async throws -> (RawClient, PlannedRequest) {
        var headers: Headers = ["Accept": "text/event-stream"]
        if let version = held.version { headers.append("Last-Event-ID", version) }
        let planned = planned("GET", changes, headers)
        let other = try await RawClient(replicas.servers[planned.replica].address)
        try await other.send(planned.request, body: planned.body)
        let head = try await other.response()
        try #require(head.status == 200)
        #expect(try await other.receivesReconnectionTime())
        return (other, planned)
    }

    /// Requests the changes since the version that the client holds.
    private func catchUp() async throws {
        guard let version = held.version else { return try await poll() }
        let planned = planned("POST", changes, [:], #"{"version":"\#(version)"}"#)
        try apply(try await answer(to: planned).body, "post", planned)
    }

    private func poll() async throws {
        let planned = planned("GET", changes + version)
        try apply(try await answer(to: planned).body, "poll", planned)
    }

    /// Replaces the held content with an earlier version that some client has received, and requests the changes since this
    /// version. The request may go to another replica.
    private func returnLater() async throws {
        guard let earlier = known.entry(of: scenario.screen, using: &random) else { return }
        held = HeldScreen()
        try held.apply(Array(earlier.document.utf8))
        try await catchUp()
        let isKnown = held.reason != "unknown-version"
        // With several replicas, another replica may not know the version yet.
        if replicas.servers.count == 1 { #expect(isKnown, "\(earlier.version) is not known") }
        known.count("return, \(isKnown ? "known" : "unknown")")
    }

    /// Requests a random action. A rule of the screen may reject the action.
    ///
    /// - Returns: true if the screen now has content that it never had before.
    private func act(applying: Bool) async throws -> Bool {
        guard let action = scenario.actions.randomElement(using: &random) else { return false }
        guard let input = try action.input(held, &random) else { return false }
        let asked = held.version.map { #""version":"\#($0)","# } ?? ""
        let planned = planned(
            "POST", "/screens/\(scenario.screen)/actions/\(action.name)?\(query)", ["Content-Type": "application/json"],
            #"{\#(applying ? asked : "")"input":\#(input)}"#
        )
        let answer = try await answer(to: planned)
        if answer.status == 422 { return false }
        try #require(answer.status == 200, "\(answer.text)")
        let done = try note(replicas.position(in: answer), of: action, Array(input.utf8), planned)
        if applying {
            let before = held.version
            try apply(answer.body, "act", planned, notBefore: done)
            #expect(!action.alwaysChanges || held.version != before, "it is not shown what it did")
        }
        return action.alwaysChanges
    }

    /// Records the changes of facts if the action has changed something.
    ///
    /// - Returns: the position in the response.
    private func note(_ answered: Position?, of action: Scenario.Action, _ input: [UInt8], _ planned: PlannedRequest) throws -> Position? {
        guard replicas.hasPositions else { return nil }
        // The action has committed only if the response states a later position than the request.
        let committed = answered.flatMap { answered in planned.floor.map { answered > $0 } ?? true ? answered : nil }
        if let committed {
            log.note(FactChange.all(of: action.name, with: try JSONReader.read(input), query: query), at: committed)
        }
        #expect(committed != nil || !action.alwaysChanges, "what was done has no position")
        position = [answered, position].compactMap(\.self).max()
        return answered
    }

    // MARK: - Requests

    private var changes: String { "/screens/\(scenario.screen)/changes?\(query)" }
    private var version: String { held.version.map { "&version=\($0)" } ?? "" }

    /// Returns a request to a random replica. The request states the latest position in the responses to actions. The position is in the
    /// query string or in a header field, or it is omitted. The choice is random.
    private func planned(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") -> PlannedRequest {
        let replica = replicas.servers.indices.randomElement(using: &random)!
        var request = Request(method: method, target: target, headers: headers)
        let body = Array(body.utf8)
        let way = Int.random(in: 0..<4, using: &random)
        guard let position, way > 0 else { return PlannedRequest(replica: replica, request: request, body: body, floor: nil) }
        let token = replicas.token(for: position)
        if way == 1 { request.target += "&position=\(token)" } else { request.headers.append(Replicas.positionField, token) }
        return PlannedRequest(replica: replica, request: request, body: body, floor: position)
    }

    private func answer(to planned: PlannedRequest) async throws -> RawResponse {
        try await clients[planned.replica].ask(planned.request, body: planned.body)
    }

    // MARK: - Checks

    private func apply(_ bytes: [UInt8], _ way: String, _ planned: PlannedRequest, notBefore floor: Position? = nil) throws {
        noteHeld("\(way) \(try held.apply(bytes))", planned, notBefore: floor ?? planned.floor)
    }

    private func noteHeld(_ way: String, _ planned: PlannedRequest, notBefore floor: Position?) {
        known.count(way)
        guard let version = held.version, let document = held.document else { return }
        note(document, of: version, planned, notBefore: floor)
    }

    private func note(_ document: String, of version: String, _ planned: PlannedRequest, notBefore floor: Position?) {
        let view = ConsistencyLog.View(client: name, replica: planned.replica, target: "/screens/\(scenario.screen)?\(query)")
        log.note(document, of: version, shownTo: view, notBefore: floor)
    }

    /// Requests changes until the client holds a version that a GET has returned. Expects that the content of the client then equals the
    /// document that the GET returned.
    private func verify() async throws {
        while true {
            if let version = held.version, let document = known.document(of: version) {
                #expect(held.document == document)
                return
            }
            let planned = planned("GET", "/screens/\(scenario.screen)?\(query)")
            let answer = try await answer(to: planned)
            try #require(answer.status == 200)
            let got = try #require(try JSONReader.read(answer.body)["version"]?.text)
            known.note(answer.text, of: got, screen: scenario.screen)
            note(answer.text, of: got, planned, notBefore: planned.floor)
            if held.version != got { try await catchUp() }
        }
    }
}
