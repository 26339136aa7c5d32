import SeededRandom
import Testing

@testable import ScreenClient

/// Runs a `ClientMachine` with a simulated server and network. The server restarts at random. The network loses, repeats and delays
/// messages, and interrupts streams.
struct ChaosTests {
    @Test(arguments: Seeds.first(200))
    func aClientWithAFaultyNetworkShowsOnlyCorrectContentAndBecomesCurrent(seed: UInt64) {
        var world = World(seed: seed)
        world.run(events: 3_000)
        world.calm()
        #expect(world.faults == [])
        #expect(world.shown == world.server)
        #expect(world.machine.content == .current(version: "v\(world.server)"))
        for (key, result) in world.results {
            let count = world.performed[key] ?? 0
            #expect(count <= 1, "\(key) was performed twice")
            if result == .performed { #expect(count == 1, "\(key) was reported as performed") }
            if case .rejected = result { #expect(count == 0, "\(key) was reported as not performed") }
        }
        #expect(world.results.count == world.started, "no action is lost silently: \(world.machine)")
    }
}

/// A simulated client, network and server that share a virtual clock.
private struct World {
    var machine = ClientMachine()
    var random: SeededGenerator
    var now = Duration.zero
    var faults: [String] = []

    /// The current content of the server, which is a number. The version of the content is `v` followed by the number.
    var server = 0
    /// The numbers of the versions that are in the history of the server.
    var known: Set<Int> = [0]
    var performed: [String: Int] = [:]
    /// The open streams of the server, by id. The value is the content that the server sent last on the stream.
    var streams: [Int: Int] = [:]

    /// The number that the client shows, or `nil` if the client has no content.
    var shown: Int?
    var results: [String: ClientMachine.ActionResult] = [:]
    var started = 0

    /// The events that will arrive at the client, with their arrival times.
    private var coming: [(time: Duration, event: ClientMachine.Event, content: Int?)] = []
    private var cancelled: Set<Int> = []
    private var isCalm = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        handle(.follow)
    }

    mutating func run(events: Int) {
        for _ in 0..<events {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: change()
            case 2: streams = streams.filter { _ in chance(2) }
            case 3: restart()
            case 4: ownerActs()
            default: deliverNext()
            }
        }
    }

    /// Stops the simulation of faults, and delivers events until the client is current.
    mutating func calm() {
        isCalm = true
        handle(.networkChanged)
        handle(.tokenRenewed)
        handle(.refresh)
        handle(.follow)
        for _ in 0..<2_000 where !coming.isEmpty && !(machine.connection == .streaming && machine.actions.isEmpty && shown == server) {
            deliverNext()
        }
    }

    private mutating func chance(_ count: Int) -> Bool {
        !isCalm && Int.random(in: 0..<count, using: &random) == 0
    }

    private mutating func delay() -> Duration {
        .milliseconds(Int.random(in: 1...(chance(10) ? 50_000 : 300), using: &random))
    }

    // MARK: The owner of the machine

    private mutating func ownerActs() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: handle(.pause)
        case 1: handle(.refresh)
        case 2: handle(.show)
        case 3: handle(.networkChanged)
        case 4, 5: handle(.follow)
        case 6 where machine.actions.count < 4:
            started += 1
            handle(.perform(key: "k\(started)", isInDoubt: false, expiry: now + .seconds(23 * 3600)))
        default:
            if let key = machine.actions.first?.key, chance(3) { handle(.abandon(key: key)) }
        }
    }

    // MARK: The server

    private mutating func change() {
        server += 1
        known.insert(server)
        for (id, sent) in streams { sendChanges(to: id, from: sent) }
    }

    private mutating func restart() {
        streams = [:]
        known = [server]
    }

    private mutating func sendChanges(to id: Int, from version: Int) {
        streams[id] = server
        let from = known.contains(version) ? "v\(version)" : nil
        arrive(.document(id, .init(from: from, version: "v\(server)")), server)
    }

    private mutating func receive(_ id: Int, _ request: ClientMachine.Request) {
        switch request.kind {
        case .snapshot: answer(id, from: nil)
        case .changes(let from), .poll(let from): answer(id, from: from)
        case .stream(let from): open(id, from)
        case .action(let key, let from): perform(key, id, from)
        }
    }

    private mutating func answer(_ id: Int, from version: String?, position: String? = nil) {
        let number = version.flatMap { Int($0.dropFirst()) }
        let from = number.flatMap { known.contains($0) ? "v\($0)" : nil }
        arrive(.answered(id, .init(.init(from: from, version: "v\(server)"), position: position)), server)
    }

    private mutating func open(_ id: Int, _ from: String) {
        arrive(.opened(id), nil)
        let number = Int(from.dropFirst()) ?? -1
        if number == server, known.contains(number) {
            streams[id] = server
            arrive(.confirmed(id, version: from), server)
        } else {
            sendChanges(to: id, from: number)
        }
        if chance(10) { arrive(.stale(id), nil) }
        if chance(4) { arrive(chance(2) ? .ended(id) : .failed(id, .unreachable), nil) }
    }

    private mutating func perform(_ key: String, _ id: Int, _ from: String?) {
        if chance(5) {
            return arrive(.failed(id, .problem(status: 429, retryAfter: .seconds(1), outcome: .notPerformed)), nil)
        }
        if performed[key] == nil {
            if chance(8) { return arrive(.failed(id, .problem(status: 422, retryAfter: nil, outcome: .notPerformed)), nil) }
            performed[key] = 1
            change()
        }
        if chance(8) { return arrive(.failed(id, .problem(status: 500, retryAfter: nil, outcome: .performed)), nil) }
        if chance(8) { return arrive(.failed(id, .problem(status: 503, retryAfter: nil, outcome: .unknown)), nil) }
        if let from {
            answer(id, from: from, position: "p\(server)")
        } else {
            arrive(.answered(id, .init(nil, position: "p\(server)")), nil)
        }
    }

    // MARK: The network

    private mutating func send(_ id: Int, _ request: ClientMachine.Request) {
        if chance(12) { return arrive(.failed(id, .problem(status: 401, retryAfter: nil, outcome: .notPerformed)), nil) }
        if chance(8) { return arrive(.failed(id, .unreachable), nil) }
        receive(id, request)
        // The server receives some requests twice, and then sends two responses. A request for an action is received a second time only if
        // the server has performed the action by then. Otherwise, the first response could report that the action was not performed,
        // although the server performs it when it receives the request again.
        if chance(10), !request.isUnperformed(performed) { receive(id, request) }
        if chance(8) {
            coming.removeAll { $0.event.requestID == id }
            streams[id] = nil
            arrive(.failed(id, .unreachable), nil)
        }
    }

    private mutating func arrive(_ event: ClientMachine.Event, _ content: Int?) {
        // The events of an exchange arrive in the order in which they were sent.
        let earlier = coming.filter { $0.event.requestID == event.requestID }.map(\.time).max() ?? now
        coming.append((max(earlier, now + delay()), event, content))
    }

    private mutating func deliverNext() {
        guard let index = coming.indices.min(by: { coming[$0].time < coming[$1].time }) else { return }
        let (time, event, content) = coming.remove(at: index)
        now = max(now, time)
        if let id = event.requestID, cancelled.contains(id) { return }
        handle(event, content)
    }

    // MARK: The client

    private mutating func handle(_ event: ClientMachine.Event, _ content: Int? = nil) {
        let wasBlank = shown == nil
        var isMisfit = false
        for effect in machine.handle(event, at: now) {
            switch effect {
            case .send(let id, let request): send(id, request)
            case .cancel(let id):
                cancelled.insert(id)
                streams[id] = nil
            case .sleep(let id, let range): coming.append((now + range.upperBound, .woke(id), nil))
            case .take(.replace): shown = content
            case .take(.apply):
                if chance(20) {
                    isMisfit = true
                    continue
                }
                if event.fromVersion != shown.map({ "v\($0)" }) { faults.append("a changeset was applied to another version") }
                shown = content
            case .renewToken: coming.append((now + delay(), chance(6) ? .tokenFailed : .tokenRenewed, nil))
            case .resolve(let key, let result):
                if results[key] != nil { faults.append("\(key) was resolved twice") }
                results[key] = result
            case .save, .share, .loaded, .publish: break
            }
        }
        if isMisfit, let shown { return handle(.misfit(held: "v\(shown)")) }
        if !wasBlank, shown == nil { faults.append("blank") }
        if machine.held != shown.map({ "v\($0)" }) {
            faults.append("the machine holds \(machine.held ?? "none"), but shows \(shown ?? -1)")
        }
    }
}

extension ClientMachine.Request {
    fileprivate func isUnperformed(_ performed: [String: Int]) -> Bool {
        if case .action(let key, _) = kind { performed[key] == nil } else { false }
    }
}

extension ClientMachine.Event {
    fileprivate var requestID: Int? {
        switch self {
        case .answered(let id, _), .failed(let id, _), .opened(let id), .received(let id), .suggestedPause(let id, _), .document(let id, _),
            .confirmed(let id, _), .stale(let id), .ended(let id), .woke(let id):
            id
        default: nil
        }
    }

    fileprivate var fromVersion: String? {
        switch self {
        case .answered(_, let answer): answer.head?.from
        case .document(_, let head): head.from
        default: nil
        }
    }
}
