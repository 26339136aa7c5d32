import ExampleRecords
import TemporaryDatabase
import Testing

extension StoreTests {
    @Test(arguments: Engine<WiFiTransaction>.all)
    func eachChangeOfWiFiSettingsIsReadBackAndAnnounced(engine: Engine<WiFiTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == .initial)
            try await store.write { try $0.changeWiFiSettings(of: "demo") { $0.joinedNetwork = "moulin" } }
            try await store.write { try $0.changeWiFiSettings(of: "demo") { $0.isOn = false } }
            try await store.write { try $0.changeWiFiSettings(of: "demo") { $0.isOn = false } }
            let settings = WiFiSettings(isOn: false, joinedNetwork: "moulin")
            #expect(try await store.read { try $0.wifiSettings(of: "demo") } == settings)
            #expect(try await store.read { try $0.wifiSettings(of: "demo2") } == .initial)
            #expect(announcements.commits == Array(repeating: ["wifi/demo"], count: 2))
        }
    }
}
