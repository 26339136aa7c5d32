import ExampleRecords
import ScreenModel
import Testing

@testable import ExampleScreens
@testable import ScreenService

struct SettingsTests {
    @Test func theTitleOfTheScreenDependsOnTheLanguage() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let settings = Settings(store: store)
            let english = try await settings.content(for: .asking(settings))
            let french = try await settings.content(for: .asking(settings, in: .french))
            #expect([english.title, french.title] == ["Settings", "Paramètres"])
        }
    }

    @Test func aRenameIsVisibleOnlyToTheUserWhoMadeIt() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let settings = Settings(store: store)
            try await store.write { try $0.changeProfile(of: "demo") { ($0.firstName, $0.familyName) = ("Ada", "Byron") } }
            let hers = try await transcript(settings.content(for: .asking(settings)).model)
            #expect(hers.contains("firstName field label=First name value=Ada placeholder=Your first name"))
            #expect(hers.contains("familyName field label=Family name value=Byron placeholder=Your family name"))
            let others = try await transcript(settings.content(for: .asking(settings, for: "other")).model)
            #expect(others.contains("firstName field label=First name value= placeholder=Your first name"))
        }
    }

    @Test func aRequestWithoutAUserIsRejected() async throws {
        try await withStore(SettingsTransaction.self) { store in
            let view = ScreenView(screen: Settings.name, audience: .everyone, revision: 1, locale: .english, parameters: [])
            await #expect(throws: AudienceMismatch.self) {
                try await Settings(store: store).content(for: ScreenRequest(view: view))
            }
        }
    }
}
