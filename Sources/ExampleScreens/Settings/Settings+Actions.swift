import ExampleStores
import ScreenModel
import ScreenService

extension Settings {
    enum ActionName {
        static let rename = "rename"
        static let changeEmail = "changeEmail"
        static let changePassword = "changePassword"
        static let connect = "connect"
        static let disconnect = "disconnect"
        static let restore = "restore"
    }

    static let firstName = Field.text("firstName") { SettingsTexts(locale: $0).firstName }.example("Ada")
    static let familyName = Field.text("familyName") { SettingsTexts(locale: $0).familyName }.example("Lovelace")
    static let email = Field.text("email", limit: 254) { SettingsTexts(locale: $0).email }.format(.email).example("ada@example.com")
    static let password = Field.text("password", limit: 200) { SettingsTexts(locale: $0).password }.format(.password).example("correct horse")
    static let shortestPassword = 8

    var actions: [Action] {
        [
            Action(
                ActionName.rename, "Changes the name; what is left out stays.", Self.firstName.optional, Self.familyName.optional,
                perform: rename
            )
            .texts(title: { SettingsTexts(locale: $0).rename }, summary: { SettingsTexts(locale: $0).toRename }),
            Action(ActionName.changeEmail, "Changes the email address.", Self.email, perform: changeEmail)
                .texts(title: { SettingsTexts(locale: $0).changeEmail }, summary: { SettingsTexts(locale: $0).toChangeEmail }),
            Action(
                ActionName.changePassword, "Sets the password, which is not kept: nothing here checks it.", Self.password,
                perform: changePassword
            )
            .texts(title: { SettingsTexts(locale: $0).changePassword }, summary: { SettingsTexts(locale: $0).toChangePassword }),
            Action(ActionName.connect, "Connects an MGEN Connect account.") { request in
                try await write(request) { try $0.connect($1) }
            }
            .texts(title: { SettingsTexts(locale: $0).connect }, summary: { SettingsTexts(locale: $0).toConnect }),
            Action(ActionName.disconnect, "Disconnects the MGEN Connect account.") { request in
                try await write(request) { try $0.disconnect($1) }
            }
            .texts(title: { SettingsTexts(locale: $0).disconnect }, summary: { SettingsTexts(locale: $0).toDisconnect }),
            Action(ActionName.restore, ExampleTexts.toRestore) { request in
                try await write(request) { try $0.saveProfile(.initial, of: $1) }
            }
            .texts(title: { ExampleTexts(locale: $0).restore }, summary: { ExampleTexts(locale: $0).toRestore }),
        ]
    }

    @Sendable private func rename(_ request: ActionContext, firstName: String?, familyName: String?) async throws {
        try await write(request) { try $0.rename($1, firstName: firstName, familyName: familyName) }
    }

    @Sendable private func changeEmail(_ request: ActionContext, email: String) async throws {
        guard Self.isAddress(email) else {
            let detail = SettingsTexts(locale: request.locale).noAddress
            throw BrokenRules([BrokenRule(field: Self.email.name, detail)])
        }
        try await write(request) { try $0.changeEmail(of: $1, to: email) }
    }

    @Sendable private func changePassword(_ request: ActionContext, password: String) async throws {
        guard password.count >= Self.shortestPassword else {
            let detail = SettingsTexts(locale: request.locale).tooShort(Self.shortestPassword)
            throw BrokenRules([BrokenRule(field: Self.password.name, detail)])
        }
        try await write(request) { try $0.setHasPassword(true, of: $1) }
    }

    /// Whether it can be one: only a mail to it would show that it is one.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
    }

    private func write(
        _ request: ActionContext, _ change: @escaping @Sendable (inout any SettingsTransaction, String) throws -> Void
    ) async throws {
        let user = try request.user
        try await store.write { try change(&$0, user) }
    }
}
