@testable import ExampleScreens
import ExampleRecords
import ScreenModel
@testable import ScreenService
import Testing

struct SettingsTests {
    @Test func theLayoutIsSeparateOrMerged() {
        #expect(Settings.layout.canonical("merged") == "merged")
        #expect(Settings.layout.canonical("separate") == "separate")
        #expect(Settings.layout.canonical("Merged") == nil)
        #expect(Settings.layout.canonical("") == nil)
        #expect(Settings.layout.defaultText == "separate")
    }

    @Test func itsTitleFollowsTheLanguage() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let settings = Settings(store: store)
            let english = try await settings.content(for: .asking(settings))
            let french = try await settings.content(for: .asking(settings, in: .french))
            #expect([english.title, french.title] == ["Settings", "Paramètres"])
        }
    }

    @Test func theLayoutOfTheRequestCounts() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let settings = Settings(store: store)
            let separate = try await settings.content(for: .asking(settings)).model
            let merged = try await settings.content(for: .asking(settings, ["layout": "merged"])).model
            #expect(separate.map(\.id) == ["userInfo", "account"])
            #expect(merged.map(\.id) == ["userInfo"])
        }
    }

    @Test func aRenameShowsForThatUserAlone() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let settings = Settings(store: store)
            try await store.write { try $0.rename("demo", firstName: "Ada", familyName: "Byron") }
            let hers = try await transcript(settings.content(for: .asking(settings)).model)
            #expect(hers.contains("firstName field label=First name value=Ada placeholder=Your first name"))
            #expect(hers.contains("familyName field label=Family name value=Byron placeholder=Your family name"))
            let others = try await transcript(settings.content(for: .asking(settings, for: "other")).model)
            #expect(others.contains("firstName field label=First name value= placeholder=Your first name"))
        }
    }

    @Test func itReadsTheUsersProfileAlone() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let topics = try await Settings(store: store).topics()
            #expect(topics == ["settings/demo"])
        }
    }

    @Test func aRequestForEveryoneHasNoSettings() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let view = ScreenView(screen: Settings.name, audience: .everyone, revision: 1, locale: .english, parameters: [])
            await #expect(throws: AudienceMismatch.self) {
                try await Settings(store: store).content(for: ScreenRequest(view: view))
            }
        }
    }
}
