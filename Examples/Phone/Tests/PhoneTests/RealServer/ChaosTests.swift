import Foundation
import ScreenClient
import Testing

@testable import Phone

/// Tests the app on two phones. At random times, a phone loses its network or the responses to actions, the app on a phone ends and is
/// started again, or the server is killed and started again. The environment variable `PHONE_CHAOS_SECONDS` is the duration in seconds.
/// `PHONE_CHAOS_SEED` is the seed of an earlier run whose choices should be repeated.
@MainActor
@Suite(.enabled(if: RealServer.program != nil && Chaos.seconds != nil))
final class ChaosTests {
    private static let contract = "240311-000"

    private let server: RealServer
    private let session: Session
    private var random: RandomNumbers
    private var phones: [ChaoticPhone] = []
    private var actions: [Task<Void, Never>] = []
    private var performedCount = 0

    init() throws {
        print("the choices begin at PHONE_CHAOS_SEED=\(Chaos.seed)")
        random = RandomNumbers(state: Chaos.seed)
        server = try RealServer()
        session = Session(database: server.database)
    }

    @Test func bothPhonesBecomeCurrentAndEachActionIsPerformedAtMostOnce() async throws {
        phones = [start(0), start(1)]
        for phone in phones { await whenTrue { phone.model.hasContent } }
        let count = phones[0].model.deliveryCount
        let end = ContinuousClock.now + .seconds(Chaos.seconds!)
        while ContinuousClock.now < end {
            try await disturb(Int.random(in: 0..<2, using: &random))
            for phone in phones { #expect(phone.model.hasContent) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...100, using: &random)))
        }
        for phone in phones {
            await phone.network.restore()
            phone.model.screen.resume()
            phone.app.networkChanged()
        }
        for action in actions { await action.value }
        for phone in phones { await repeatUndecided(of: phone) }

        let fresh = phone(of: MemoryStore(), Network())
        await load(fresh.model)
        #expect(fresh.model.deliveryCount == count + performedCount)
        for phone in phones {
            await load(phone.model)
            await whenTrue { phone.model.days == fresh.model.days }
            phone.following.cancel()
        }
        print("\(performedCount) actions were performed")
    }

    private func disturb(_ index: Int) async throws {
        let phone = phones[index]
        switch Int.random(in: 0..<30, using: &random) {
        case 0:
            await phone.network.cutOff()
            phone.app.networkChanged()
        case 1: await phone.network.cutOff()
        case 2: await phone.network.loseResponses()
        case 3...9: await phone.network.restore()
        case 10: phone.app.networkChanged()
        case 11: phone.model.screen.pause()
        case 12...14: phone.model.screen.resume()
        case 15 where Bool.random(using: &random):
            server.end()
            try server.start()
        case 16 where Bool.random(using: &random):
            // The end of the app is simulated: its network is cut off, because a process that has ended neither sends nor receives
            // anything.
            await phone.network.cutOff()
            phone.following.cancel()
            phones[index] = start(index)
            let restarted = phones[index]
            await whenTrue { restarted.model.hasContent }
        case 17...19: actions.append(Task { try? await phone.model.screen.refresh() })
        case 20, 21:
            let day = ["2018-07-12", "2018-07-20", nil].randomElement(using: &random)!
            actions.append(Task { try? await phone.model.screen.show(["from": day]) })
        default: actions.append(Task { await self.schedule(on: phone) })
        }
    }

    private func schedule(on phone: ChaoticPhone) async {
        do throws(ActionError) {
            try await phone.model.screen.action("schedule")(["day": "2018-08-01", "kilograms": 1])
            performedCount += 1
        } catch {
            switch error {
            case .disabled, .undecided: break
            case .invalid, .rejected, .notStored: Issue.record(error)
            }
        }
    }

    private func repeatUndecided(of phone: ChaoticPhone) async {
        for attempt in await phone.model.screen.undecided() {
            do throws(ActionError) {
                try await phone.model.screen.retry(attempt)
                performedCount += 1
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Loads the deliveries of all days.
    private func load(_ model: DeliveriesModel) async {
        // The request is repeated until it succeeds, because a server on a busy machine can reject requests.
        while (try? await model.screen.show(["from": nil])) == nil {}
    }

    /// Starts the app on the device with this index.
    private func start(_ index: Int) -> ChaoticPhone {
        phone(of: FileStore(folder: server.folder.appending(path: "device\(index)")), Network())
    }

    private func phone(of store: any SnapshotStoring & AttemptStoring, _ network: Network) -> ChaoticPhone {
        let app = Phone(
            server: server.url, user: "ada", tokens: { [session] in try await session.token(replacing: $0) }, transport: network,
            store: store)
        let model = app.deliveries(of: Self.contract)
        return ChaoticPhone(app: app, network: network, model: model, following: Task { await model.follow() })
    }
}

private enum Chaos {
    private static let environment = ProcessInfo.processInfo.environment
    static let seconds = environment["PHONE_CHAOS_SECONDS"].flatMap { Int($0) }
    static let seed = environment["PHONE_CHAOS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
}

private struct ChaoticPhone {
    let app: Phone
    let network: Network
    let model: DeliveriesModel
    let following: Task<Void, Never>
}

/// The random number generator SplitMix64. Equal seeds result in equal numbers.
private struct RandomNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
