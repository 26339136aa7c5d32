import Foundation
import ScreenClient
import Testing

@testable import Phone

/// Tests of the app with a running server. The server is killed and restarted, and the network is cut off.
@MainActor
@Suite(.enabled(if: RealServer.program != nil), .timeLimit(.minutes(2)))
struct RealServerTests {
    let server: RealServer
    let network = Network()
    let session: Session

    init() throws {
        server = try RealServer()
        session = Session(database: server.database)
    }

    /// A contract to which deliveries can still be added.
    private static let contract = "240311-000"
    private static let day = "2018-08-01"

    /// Starts the app. A second call starts the app again on the same device.
    private func start(_ network: Network? = nil) -> (phone: Phone, files: StoreOnDevice) {
        let files = StoreOnDevice(in: server.folder.appending(path: "device"))
        let phone = Phone(
            server: server.url, user: "ada", tokens: { [session] in try await session.token(replacing: $0) },
            transport: network ?? self.network, store: files)
        return (phone, files)
    }

    /// Returns a model on another device of the same user. The other device has its own network.
    private func otherPhone() async throws -> DeliveriesModel {
        let phone = Phone(
            server: server.url, user: "ada", tokens: { [session] in try await session.token(replacing: $0) }, store: MemoryStore())
        let model = phone.deliveries(of: Self.contract)
        try await model.screen.refresh()
        return model
    }

    @Test func aPhoneShowsItsStoredContentUntilTheServerIsReachableAgain() async throws {
        var (phone, files) = start()
        var model = phone.deliveries(of: Self.contract)
        var following = Task { [model] in await model.follow() }
        await files.stored()
        let days = model.days
        #expect(!days.isEmpty)
        server.end()
        await whenTrue { model.banner == .offline }
        #expect(model.days == days)
        following.cancel()

        (phone, files) = start()
        model = phone.deliveries(of: Self.contract)
        following = Task { [model] in await model.follow() }
        await whenTrue { model.hasContent }
        #expect(model.days == days)
        await whenTrue { model.banner == .offline }
        #expect(model.days == days)

        try server.start()
        try await otherPhone().schedule(kilograms: 1000, on: Self.day)
        await whenTrue { model.deliveryCount > days.deliveryCount }
        #expect(model.deliveryCount == days.deliveryCount + 1)
        #expect(try await otherPhone().days == model.days)
        following.cancel()
    }

    enum Loss: CaseIterable {
        case network
        case server
        case token
        case process
    }

    /// Each case of `Loss` happens once. The order begins at the index `first`, and continues at index 0 after the last index.
    @Test(arguments: Loss.allCases.indices)
    func storedContentIsShownUntilServerNetworkAndTokenAreRestored(first: Int) async throws {
        var (phone, files) = start()
        var model = phone.deliveries(of: Self.contract)
        var following = Task { [model] in await model.follow() }
        await files.stored()
        let days = model.days
        for loss in Loss.allCases[first...] + Loss.allCases[..<first] {
            switch loss {
            case .network:
                await network.cutOff()
                phone.networkChanged()
            case .server: server.end()
            case .token: try server.changeKey()
            case .process:
                following.cancel()
                (phone, files) = start()
                model = phone.deliveries(of: Self.contract)
                following = Task { [model] in await model.follow() }
            }
            await whenTrue { model.hasContent }
            #expect(model.days == days)
        }
        try server.start()
        try await otherPhone().schedule(kilograms: 1000, on: Self.day)
        #expect(model.days == days)
        await network.restore()
        phone.networkChanged()
        await whenTrue { model.deliveryCount > days.deliveryCount }
        #expect(try await otherPhone().days == model.days)
        following.cancel()
    }

    @Test func aPhoneReceivesMissedChangesWhenTheNetworkIsRestored() async throws {
        let (phone, files) = start()
        let model = phone.deliveries(of: Self.contract)
        let following = Task { await model.follow() }
        await files.stored()
        let count = model.deliveryCount
        await network.cutOff()
        phone.networkChanged()
        await whenTrue { model.banner == .offline }
        #expect(!model.weighing(model.days[0].deliveries[0]).canSend)
        try await otherPhone().schedule(kilograms: 1000, on: Self.day)
        #expect(model.deliveryCount == count)
        await network.restore()
        phone.networkChanged()
        await whenTrue { model.deliveryCount > count }
        following.cancel()
    }

    @Test func anActionWithALostResponseIsPerformedOnceEvenIfTheServerRestarts() async throws {
        let (phone, _) = start()
        let model = phone.deliveries(of: Self.contract)
        try await model.screen.refresh()
        let count = model.deliveryCount
        await network.loseResponses()
        let scheduling = Task { await model.schedule(kilograms: 1000, on: Self.day) }
        await network.responseLost()
        server.end()
        try server.start()
        await network.restore()
        phone.networkChanged()
        await scheduling.value
        #expect(model.alert == nil)
        #expect(model.deliveryCount == count + 1)
        #expect(try await otherPhone().days == model.days)
    }

    @Test func anActionOfAnEarlierProcessCanBeSentAgainAndIsPerformedOnce() async throws {
        // This process of the app sends an action and ends before it receives the response. To simulate the end, the response is discarded,
        // and then the network of the process is cut off.
        let lost = Network()
        let ended = start(lost).phone.deliveries(of: Self.contract)
        try await ended.screen.refresh()
        let count = ended.deliveryCount
        await lost.loseResponses()
        let scheduling = Task { await ended.schedule(kilograms: 1000, on: Self.day) }
        await lost.responseLost()
        await lost.cutOff()

        let model = start().phone.deliveries(of: Self.contract)
        let following = Task { await model.follow() }
        await whenTrue { model.undecided.count == 1 }
        let attempt = try #require(model.undecided.first)
        #expect(attempt.action == "schedule")
        await model.sendAgain(attempt)
        #expect(model.alert == nil && model.undecided.isEmpty)
        await whenTrue { model.deliveryCount > count }
        #expect(try await otherPhone().deliveryCount == count + 1)
        following.cancel()
        scheduling.cancel()
        await scheduling.value
    }

    @Test func aCorrectedWeightIsAcceptedEvenIfTheResponseIsLost() async throws {
        let model = start().phone.deliveries(of: "240189-000")
        let following = Task { await model.follow() }
        await whenTrue { model.days.first != nil }
        let delivery = try #require(model.days.first?.deliveries.first)
        let form = model.weighing(delivery)
        form.kilograms = "100000"
        await form.send()
        #expect(form.errors.count == 1 && !form.isDone)
        form.kilograms = String(delivery.kilograms + 1)
        await network.loseResponses()
        let sending = Task { await form.send() }
        await network.responseLost()
        await network.restore()
        await sending.value
        #expect(form.isDone && form.errors.isEmpty)
        await whenTrue { model.days.first?.deliveries.first?.kilograms == delivery.kilograms + 1 }
        following.cancel()
    }

    @Test func aPhoneRenewsATokenThatTheServerNoLongerAccepts() async throws {
        let (phone, files) = start()
        let model = phone.deliveries(of: Self.contract)
        let following = Task { await model.follow() }
        await files.stored()
        let count = model.deliveryCount
        server.end()
        try server.changeKey()
        try server.start()
        try await otherPhone().schedule(kilograms: 1000, on: Self.day)
        await whenTrue { model.deliveryCount > count }
        #expect(await session.renewals == 1)
        following.cancel()
    }

    @Test func aSearchShowsTheMountainsThatMatchTheLastText() async throws {
        let model = start().phone.mountains()
        let following = Task { await model.follow() }
        await whenTrue { !model.mountains.isEmpty }
        let letters = ["m", "mo", "mon", "mont", "mont ", "mont b", "mont bl"].map { text in Task { await model.search(text) } }
        for letter in letters { await letter.value }
        #expect(model.text == "mont bl")
        #expect(model.mountains.map(\.name) == ["Mont Blanc"])
        await model.search("no such mountain")
        #expect(model.mountains.isEmpty && model.explanation != nil)
        await model.search("")
        #expect(model.mountains.count > 100)
        following.cancel()
    }

    @Test func aNameThatIsChangedOnOnePhoneAppearsOnTheOtherPhone() async throws {
        let (mine, other) = (start().phone.settings(), start().phone.settings())
        let following = [mine, other].map { model in Task { await model.follow() } }
        await whenTrue { !mine.fields.isEmpty && !other.fields.isEmpty }
        await mine.rename(firstName: "Ada")
        #expect(mine.alert == nil && mine.errors.isEmpty)
        await whenTrue { [mine, other].allSatisfy { $0.fields.contains { $0.id == "firstName" && $0.value == "Ada" } } }
        for follower in following { follower.cancel() }
    }
}

/// The session of the signed-in user, with the current token.
actor Session {
    private let database: String
    private var current: String?
    /// The number of rejected tokens that were replaced by new tokens.
    private(set) var renewals = 0

    init(database: String) {
        self.database = database
    }

    func token(replacing refused: String?) throws -> String {
        if let current, current != refused { return current }
        if refused != nil { renewals += 1 }
        let token = try RealServer.token(database: database)
        current = token
        return token
    }
}

extension [DeliveriesModel.Day] {
    var deliveryCount: Int { map(\.deliveries.count).reduce(0, +) }
}

extension DeliveriesModel {
    var deliveryCount: Int { days.deliveryCount }
}
