import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct WiFiActionsTests {
    private func withWiFi(_ body: (Performing<WiFi>, Store<WiFiTransaction>) async throws -> Void) async throws {
        try await withStore(WiFiTransaction.self) { store in
            let scanner = WiFiScanner(topics: Topics(), now: { .zero })
            try await body(Performing(screen: WiFi(store: store, scanner: scanner)), store)
        }
    }

    @Test func theToggleActionTurnsWiFiOffAndOn() async throws {
        try await withWiFi { perform, store async throws in
            try await perform("toggle", #"{"on":false}"#)
            #expect(try await store.read { try $0.wifiSettings(of: "demo").isOn } == false)
            try await perform("toggle", #"{"on":true}"#)
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == .initial)
        }
    }

    @Test func joiningANetworkMovesItsCellAndForgettingTheNetworkMovesTheCellBack() async throws {
        try await withWiFi { perform, _ async throws in
            let before = transcript(try await perform.screen.content(for: .asking(perform.screen)).model)
            try await perform("join", #"{"network":"invites"}"#)
            let joined = try await perform.screen.content(for: .asking(perform.screen)).model
            #expect(joined[1].id == "joined")
            #expect(joined[1].map(\.id) == ["invites"])
            try await perform("forget", #"{"network":"invites"}"#)
            #expect(transcript(try await perform.screen.content(for: .asking(perform.screen)).model) == before)
        }
    }

    @Test func restoringTheExamplesTurnsWiFiOnAndForgetsTheNetwork() async throws {
        try await withWiFi { perform, store async throws in
            try await perform("join", #"{"network":"invites"}"#)
            try await perform("toggle", #"{"on":false}"#)
            try await perform("restore")
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == .initial)
        }
    }

    @Test func joiningASecuredNetworkRequiresAPassword() async throws {
        try await withWiFi { perform, store async throws in
            let rule = BrokenRule(field: "password", "The password of a network has at least 8 characters.")
            for input in [#"{"network":"grange"}"#, #"{"network":"grange","password":"1234567"}"#] {
                await #expect(throws: BrokenRules([rule])) { try await perform("join", input) }
            }
            try await perform("join", #"{"network":"grange","password":"12345678"}"#)
            #expect(try await store.read { try $0.wifiSettings(of: "demo").joinedNetwork } == "grange")
        }
    }

    @Test func aNetworkOutOfRangeCannotBeJoined() async throws {
        try await withWiFi { perform, _ async throws in
            await #expect(throws: BrokenRules([BrokenRule(field: "network", "This network is out of range.")])) {
                try await perform("join", #"{"network":"nowhere"}"#)
            }
        }
    }

    @Test func noNetworkCanBeJoinedWhileWiFiIsOff() async throws {
        try await withWiFi { perform, _ async throws in
            try await perform("toggle", #"{"on":false}"#)
            await #expect(throws: BrokenRules([BrokenRule("Turn Wi-Fi on to see networks.")])) {
                try await perform("join", #"{"network":"invites"}"#)
            }
        }
    }

    @Test func onlyTheJoinedNetworkCanBeForgotten() async throws {
        try await withWiFi { perform, _ async throws in
            await #expect(throws: BrokenRules([BrokenRule(field: "network", "This network is not joined.")])) {
                try await perform("forget", #"{"network":"invites"}"#)
            }
        }
    }

    @Test func theScreenDependsOnTheScanOnlyWhileWiFiIsOn() async throws {
        try await withWiFi { perform, _ async throws in
            #expect(try await perform.screen.topics() == ["wifi/demo", "wifi-scan/demo"])
            try await perform("toggle", #"{"on":false}"#)
            #expect(try await perform.screen.topics() == ["wifi/demo"])
        }
    }
}
