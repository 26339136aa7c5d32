import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import SeededRandom
import Testing

/// A client that does what it likes with one screen, at whichever replica, and holds what it is told.
final class Wanderer {
    private enum Step: CaseIterable {
        case act, page, poll, wait, stream, cut, comeBack
    }

    /// A request to one of the replicas.
    private struct Asking {
        let replica: Int
        let request: Request
        let body: [UInt8]
        /// Of a commit that the client says it has seen.
        let floor: Position?
    }

    private let name: String
    private let ground: Ground
    private let replicas: Replicas
    private let ledger: Ledger
    private let chronicle: Chronicle
    /// One for each of the replicas.
    private let clients: [RawClient]
    private var random: SeededGenerator
    private var query: String
    private var held = HeldScreen()
    /// Of what it did last.
    private var position: Position?

    init(
        _ number: Int, on ground: Ground, _ replicas: Replicas, _ ledger: Ledger, _ chronicle: Chronicle, seed: UInt64
    ) async throws {
        (self.ground, self.replicas, self.ledger, self.chronicle) = (ground, replicas, ledger, chronicle)
        name = "client \(number)"
        var clients: [RawClient] = []
        for server in replicas.servers { clients.append(try await RawClient(server.address)) }
        self.clients = clients
        random = SeededGenerator(seed: seed)
        query = ground.queries[0]
    }

    /// Does something, and then sees that it holds what there is.
    func step() async throws {
        switch Step.allCases.randomElement(using: &random)! {
        case .act: _ = try await act(folding: true)
        case .page:
            query = ground.queries.randomElement(using: &random)!
            try await catchUp()
        case .poll: try await poll()
        case .wait: try await wait()
        case .stream: try await stream()
        case .cut: try await stream(missing: try await cut())
        case .comeBack: try await comeBack()
        }
        try await settle()
    }

    // MARK: - Steps

    /// Waits for a change of its own, or leaves while it waits.
    private func wait() async throws {
        let asking = asking("GET", changes + version, ["Prefer": ground.actions.isEmpty ? "wait=0" : "wait=60"])
        let other = try await RawClient(replicas.servers[asking.replica].address)
        try await other.send(asking.request, body: asking.body)
        let isAnswered = try await act(folding: false) || held.version == nil || ground.actions.isEmpty
        guard isAnswered else { return }
        let answer = try await other.response()
        #expect(answer.status == 200)
        try fold(answer.body, "wait", asking)
    }

    /// Listens, changes something, and takes what comes.
    ///
    /// - Parameter missing: whether something that it was not sent will come.
    private func stream(missing: Bool = false) async throws {
        let (other, asking) = try await listen()
        // Without news nothing may come, unless it holds nothing.
        var isNews = missing || held.version == nil
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if try await act(folding: false) { isNews = true }
            guard isNews else { return }
            let event = try #require(await other.event())
            noteHeld("stream \(try held.take(event))", asking, notBefore: asking.floor)
            isNews = false
        }
    }

    /// Listens, and leaves in the middle of what comes.
    ///
    /// - Returns: whether something came.
    private func cut() async throws -> Bool {
        let (other, _) = try await listen()
        guard try await act(folding: false) else { return false }
        try await other.stir()
        return true
    }

    private func listen() async throws -> (RawClient, Asking) {
        var headers: Headers = ["Accept": "text/event-stream"]
        if let version = held.version { headers.append("Last-Event-ID", version) }
        let asking = asking("GET", changes, headers)
        let other = try await RawClient(replicas.servers[asking.replica].address)
        try await other.send(asking.request, body: asking.body)
        let head = try await other.response()
        try #require(head.status == 200)
        #expect(try await other.isToldWhenToReturn())
        return (other, asking)
    }

    /// Asks for the way to what there is now.
    private func catchUp() async throws {
        guard let version = held.version else { return try await poll() }
        let asking = asking("POST", changes, [:], #"{"version":"\#(version)"}"#)
        try fold(try await answer(to: asking).body, "post", asking)
    }

    private func poll() async throws {
        let asking = asking("GET", changes + version)
        try fold(try await answer(to: asking).body, "poll", asking)
    }

    /// Comes back with what some client was given some time ago, be it at another replica.
    private func comeBack() async throws {
        guard let earlier = ledger.entry(of: ground.screen, using: &random) else { return }
        held = HeldScreen()
        try held.fold(Array(earlier.document.utf8))
        try await catchUp()
        let isKnown = held.reason != "unknown-version"
        // Another replica may not have it yet.
        if replicas.servers.count == 1 { #expect(isKnown, "\(earlier.version) is not known") }
        ledger.count("return, \(isKnown ? "known" : "unknown")")
    }

    /// Changes something, unless a rule forbids it.
    ///
    /// - Returns: whether the screen is now one that never was before.
    private func act(folding: Bool) async throws -> Bool {
        guard let action = ground.actions.randomElement(using: &random) else { return false }
        guard let input = try action.input(held, &random) else { return false }
        let asked = held.version.map { #""version":"\#($0)","# } ?? ""
        let asking = asking(
            "POST", "/screens/\(ground.screen)/actions/\(action.name)?\(query)", ["Content-Type": "application/json"],
            #"{\#(folding ? asked : "")"input":\#(input)}"#
        )
        let answer = try await answer(to: asking)
        if answer.status == 422 { return false }
        try #require(answer.status == 200, "\(answer.text)")
        let done = try note(replicas.position(in: answer), of: action, Array(input.utf8), asking)
        if folding {
            let before = held.version
            try fold(answer.body, "act", asking, notBefore: done)
            #expect(!action.isAlwaysNews || held.version != before, "it is not shown what it did")
        }
        return action.isAlwaysNews
    }

    /// Notes what an action did, unless it changed nothing.
    ///
    /// - Returns: the position at which it is there.
    private func note(_ answered: Position?, of action: Ground.Action, _ input: [UInt8], _ asking: Asking) throws -> Position? {
        guard replicas.hasPositions else { return nil }
        // Nothing is committed before what was seen already.
        let committed = answered.flatMap { answered in asking.floor.map { answered > $0 } ?? true ? answered : nil }
        if let committed {
            chronicle.note(Deed.all(of: action.name, with: try JSONReader.read(input), asking: query), at: committed)
        }
        #expect(committed != nil || !action.isAlwaysNews, "what was done has no position")
        position = [answered, position].compactMap(\.self).max()
        return answered
    }

    // MARK: - Asking

    private var changes: String { "/screens/\(ground.screen)/changes?\(query)" }
    private var version: String { held.version.map { "&version=\($0)" } ?? "" }

    /// Chooses who is asked, and whether and how they are told what this client did last.
    private func asking(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") -> Asking {
        let replica = replicas.servers.indices.randomElement(using: &random)!
        var request = Request(method: method, target: target, headers: headers)
        let body = Array(body.utf8)
        let way = Int.random(in: 0..<4, using: &random)
        guard let position, way > 0 else { return Asking(replica: replica, request: request, body: body, floor: nil) }
        let token = replicas.token(for: position)
        if way == 1 { request.target += "&position=\(token)" } else { request.headers.append(Replicas.positionField, token) }
        return Asking(replica: replica, request: request, body: body, floor: position)
    }

    private func answer(to asking: Asking) async throws -> RawResponse {
        try await clients[asking.replica].ask(asking.request, body: asking.body)
    }

    // MARK: - Holding

    private func fold(_ bytes: [UInt8], _ way: String, _ asking: Asking, notBefore floor: Position? = nil) throws {
        noteHeld("\(way) \(try held.fold(bytes))", asking, notBefore: floor ?? asking.floor)
    }

    private func noteHeld(_ way: String, _ asking: Asking, notBefore floor: Position?) {
        ledger.count(way)
        guard let version = held.version, let document = held.document else { return }
        note(document, of: version, asking, notBefore: floor)
    }

    private func note(_ document: String, of version: String, _ asking: Asking, notBefore floor: Position?) {
        let watch = Chronicle.Watch(client: name, replica: asking.replica, target: "/screens/\(ground.screen)?\(query)")
        chronicle.note(document, of: version, shownTo: watch, notBefore: floor)
    }

    /// Goes on until it holds a version that a GET returned, and compares.
    private func settle() async throws {
        while true {
            if let version = held.version, let document = ledger.document(of: version) {
                #expect(held.document == document)
                return
            }
            let asking = asking("GET", "/screens/\(ground.screen)?\(query)")
            let answer = try await answer(to: asking)
            try #require(answer.status == 200)
            let got = try #require(try JSONReader.read(answer.body)["version"]?.text)
            ledger.note(answer.text, of: got, screen: ground.screen)
            note(answer.text, of: got, asking, notBefore: asking.floor)
            if held.version != got { try await catchUp() }
        }
    }
}
