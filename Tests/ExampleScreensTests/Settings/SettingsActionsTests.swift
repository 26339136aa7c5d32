import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct SettingsActionsTests {
    private func withSettings(_ body: (Performing<Settings>, Store<SettingsTransaction>) async throws -> Void) async throws {
        try await withStore(SettingsTransaction.self) { store in try await body(Performing(screen: Settings(store: store)), store) }
    }

    @Test func eachSettingsActionChangesOnlyTheFieldsInItsInput() async throws {
        try await withSettings { perform, store async throws in
            try await perform("rename", #"{"firstName":"Ada","familyName":"King"}"#)
            try await perform("rename", #"{"firstName":"Augusta"}"#)
            try await perform("changeEmail", #"{"email":"ada@king.example"}"#)
            let profile = try await store.read { try $0.profile(of: "demo") }
            #expect([profile.firstName, profile.familyName, profile.email] == ["Augusta", "King", "ada@king.example"])
        }
    }

    @Test func restoringTheExamplesResetsOnlyTheProfileOfTheCaller() async throws {
        try await withSettings { perform, store async throws in
            try await store.write { try $0.changeProfile(of: "ada") { $0.isConnected = true } }
            try await perform("rename", #"{"firstName":"Ada"}"#)
            try await perform("connect")
            try await perform("restore")
            #expect(try await store.read { try $0.profile(of: "demo") } == .initial)
            let other = try await store.read { try $0.profile(of: "ada") }
            #expect(other.isConnected)
        }
    }

    @Test(arguments: ["", "a", "a@", "@b", "a@b@c", "a b@c", "a@b\n"])
    func anInvalidEmailAddressIsRejected(_ address: String) async throws {
        try await withSettings { perform, store async throws in
            let text = "An email address has one @ with a name before it and a domain after it, and no spaces."
            await #expect(throws: BrokenRules([BrokenRule(field: "email", text)])) {
                try await perform("changeEmail", #"{"email":"\#(address.replacing("\n", with: "\\n"))"}"#)
            }
            #expect(try await store.read { try $0.profile(of: "demo") } == .initial)
        }
    }

    @Test func aPasswordWithFewerThanEightCharactersIsRejected() async throws {
        try await withSettings { perform, store async throws in
            try await store.write { try $0.changeProfile(of: "demo") { $0.hasPassword = false } }
            let text = "A password has at least 8 characters."
            await #expect(throws: BrokenRules([BrokenRule(field: "password", text)])) {
                try await perform("changePassword", #"{"password":"1234567"}"#)
            }
            #expect(try await store.read { try $0.profile(of: "demo").hasPassword } == false)
            try await perform("changePassword", #"{"password":"12345678"}"#)
            #expect(try await store.read { try $0.profile(of: "demo").hasPassword })
        }
    }

    @Test func cellsOfferOnlyActionsThatTheScreenDeclares() async throws {
        try await withSettings { perform, store async throws in
            for isConnected in [false, true] {
                var profile = Profile.initial
                profile.isConnected = isConnected
                let model = Settings.model(of: profile, .separate, in: .english)
                let known = Set(perform.screen.actions.map(\.name))
                let offered = model.joined().flatMap { [$0.selection?.action?.name].compactMap(\.self) + $0.actions.map(\.name) }
                #expect(known.isSuperset(of: offered))
                #expect(offered == ["rename", "rename", "changeEmail", "changePassword", isConnected ? "disconnect" : "connect"])
            }
        }
    }

    @Test func disconnectingAnAccountShowsTheScreenAsItWasBeforeConnecting() async throws {
        try await withSettings { perform, _ async throws in
            let before = try await perform.screen.content(for: .asking(perform.screen)).model
            try await perform("connect")
            let connected = try await perform.screen.content(for: .asking(perform.screen)).model
            #expect(connected.joined().map(\.id).last == "connected")
            try await perform("disconnect")
            let after = try await perform.screen.content(for: .asking(perform.screen)).model
            #expect(transcript(after) == transcript(before))
        }
    }
}
