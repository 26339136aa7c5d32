import Foundation
import ScreenClient
import Testing

@testable import Phone

@MainActor
struct DeliveriesModelTests {
    let server = ScriptedServer()
    let store = MemoryStore()

    private var phone: Phone {
        Phone(server: URL(string: "http://server")!, user: "ada", tokens: { _ in "token" }, transport: server, store: store)
    }

    /// Returns a model that shows a contract with one delivery.
    private func loaded() async throws -> DeliveriesModel {
        let model = phone.deliveries(of: "1")
        let loading = Task { try await model.screen.refresh() }
        try await server.next().respond(200, Self.snapshot)
        try await loading.value
        return model
    }

    private static let snapshot = """
        {"kind":"snapshot","screen":"deliveries","version":"1","layout":"table","title":"ORGE PLANET","sections":[
         {"id":"contract","cells":[
          {"id":"number","type":"detail","label":"Number","value":"1"},
          {"id":"delivered","type":"weight","label":"Delivered","value":"10.766 t","kilograms":10766},
          {"id":"chart","type":"chart","points":[1,2]}]},
         {"id":"2018-07-12","header":{"type":"day","title":"7/12/18 – 1 delivery","kilograms":10766},"cells":[
          {"id":"7534-1","type":"delivery","number":"7534-1","weight":"10.766 t","kilograms":10766,"status":"Weighed","isWeighed":true,
           "actions":[{"name":"weigh","title":"Weigh"}]}]}]}
        """

    @Test func theListShowsOnlyCellsOfKnownTypes() async throws {
        let model = try await loaded()
        #expect(model.title == "ORGE PLANET")
        #expect(model.contract.map(\.id) == ["number", "delivered"])
        #expect(model.days.map(\.header.title) == ["7/12/18 – 1 delivery"])
        #expect(model.days[0].deliveries.map(\.kilograms) == [10_766])
        #expect(model.banner == nil)
    }

    @Test func anAcceptedWeightClosesTheForm() async throws {
        let model = try await loaded()
        let form = model.weighing(model.days[0].deliveries[0])
        form.kilograms = "eleven"
        #expect(!form.canSend)
        form.kilograms = "11000"
        #expect(form.canSend)
        let sending = Task { await form.send() }
        let request = try await server.next()
        #expect(request.line == "POST http://server/screens/deliveries/actions/weigh?contract=1&locale=en")
        #expect(request.body == #"{"version":"1","input":{"delivery":"7534-1","kilograms":11000}}"#)
        #expect(form.isSending && !form.canSend)
        request.respond(200, #"{"kind":"changeset","screen":"deliveries","from":"1","version":"1","stages":[]}"#)
        await sending.value
        #expect(form.isDone && !form.isSending)
    }

    @Test func theFormShowsTheErrorOfAnInvalidWeightAtItsField() async throws {
        let model = try await loaded()
        let form = model.weighing(model.days[0].deliveries[0])
        let sending = Task { await form.send() }
        try await server.next().respond(
            422,
            """
            {"type":"t","title":"T","status":422,"detail":"D","outcome":"not-performed",
             "errors":[{"pointer":"/input/kilograms","detail":"It may be 31.500 t."}]}
            """)
        await sending.value
        #expect(form.errors == ["It may be 31.500 t."])
        #expect(form.alert == nil && !form.isDone)
    }

    @Test func aWeighingWithAnUnknownOutcomeCanBeSentAgain() async throws {
        let model = try await loaded()
        let form = model.weighing(model.days[0].deliveries[0])
        let sending = Task { await form.send() }
        try await server.next().respond(403, #"{"type":"t","title":"T","status":403,"detail":"D"}"#)
        await sending.value
        #expect(form.alert != nil && !form.isDone)
        let attempt = try #require(model.undecided.first)
        let repeating = Task { await model.sendAgain(attempt) }
        try await server.next().respond(200, #"{"kind":"changeset","screen":"deliveries","from":"1","version":"1","stages":[]}"#)
        await repeating.value
        #expect(model.undecided.isEmpty && model.alert == nil)
    }

    @Test func theListShowsStoredContentBeforeTheServerResponds() async throws {
        let store = StoredOnce(Self.snapshot)
        let phone = Phone(server: URL(string: "http://server")!, user: "ada", tokens: { _ in nil }, transport: server, store: store)
        let model = phone.deliveries(of: "1")
        let following = Task { await model.follow() }
        let request = try await server.next()
        #expect(request.line == "GET http://server/screens/deliveries/changes?contract=1&locale=en&version=1")
        #expect(model.title == "ORGE PLANET")
        #expect(model.banner == .connecting)
        // The app pauses for so long that only the change of the network ends the pause.
        request.respond(503, "", [("Retry-After", "300")])
        await whenTrue { model.banner == .offline }
        #expect(model.days.count == 1)
        phone.networkChanged()
        try await server.next().open("event: current\ndata: {\"version\":\"1\"}\n\n")
        await whenTrue { model.banner == nil }
        following.cancel()
        await following.value
    }
}

/// A store that returns one fixed snapshot for every view, and discards everything that the app stores.
private actor StoredOnce: SnapshotStoring, AttemptStoring {
    let bytes: [UInt8]

    init(_ json: String) {
        bytes = Array(json.utf8)
    }

    func snapshot(of view: StoredView) -> [UInt8]? { bytes }
    func store(_ snapshot: [UInt8], of view: StoredView) {}
    func removeSnapshots(of user: String) {}
    func attempts(of user: String) -> [ActionAttempt] { [] }
    func store(_ attempt: ActionAttempt, of user: String) {}
    func removeAttempt(_ key: String, of user: String) {}
}
