import ExampleRecords
import ScreenModel
import ScreenService

extension Settings {
    static let firstName = Field.text("firstName", Text("First name", fr: "Prénom")).example("Ada")
    static let familyName = Field.text("familyName", Text("Family name", fr: "Nom")).example("Lovelace")
    static let email = Field.text("email", Text("Email", fr: "E-mail"), limit: 254).format(.email).example("ada@example.com")
    static let password = Field.text("password", Text("Password", fr: "Mot de passe"), limit: 200)
        .format(.password).example("correct horse")
    static let shortestPassword = 8

    static let rename = Action(
        "rename", title: Text("Change the name", fr: "Changer le nom"),
        Text("Changes the name; what is left out stays.", fr: "Change le nom ; ce qui manque reste."),
        firstName.optional, familyName.optional
    ) { (settings: Settings, request, firstName, familyName) in
        try await settings.write(request) { try $0.rename($1, firstName: firstName, familyName: familyName) }
    }

    static let changeEmail = Action(
        "changeEmail", title: Text("Change the email address", fr: "Changer l’adresse e-mail"),
        Text("Changes the email address.", fr: "Change l’adresse e-mail."), email
    ) { (settings: Settings, request, address) in
        guard isAddress(address) else {
            let detail = Text(
                "An email address has one @ with a name before it and a domain after it, and no spaces.",
                fr: "Une adresse e-mail a un seul @, un nom avant, un domaine après, et aucun espace."
            )
            throw BrokenRules([BrokenRule(field: email.name, detail.in(request.locale))])
        }
        try await settings.write(request) { try $0.changeEmail(of: $1, to: address) }
    }

    static let changePassword = Action(
        "changePassword", title: Text("Change the password", fr: "Changer le mot de passe"),
        Text(
            "Sets the password, which is not kept: nothing here checks it.",
            fr: "Définit le mot de passe, qui n’est pas gardé : rien ici ne le vérifie."
        ), password
    ) { (settings: Settings, request, secret) in
        guard secret.count >= shortestPassword else {
            let detail = Text(
                "A password has at least \(shortestPassword) characters.",
                fr: "Un mot de passe compte au moins \(shortestPassword) caractères."
            )
            throw BrokenRules([BrokenRule(field: password.name, detail.in(request.locale))])
        }
        try await settings.write(request) { try $0.setHasPassword(true, of: $1) }
    }

    static let connect = Action(
        "connect", title: Text("Connect an MGEN Connect account", fr: "Associer un compte MGEN Connect"),
        Text("Connects an MGEN Connect account.", fr: "Associe un compte MGEN Connect.")
    ) { (settings: Settings, request) in
        try await settings.write(request) { try $0.connect($1) }
    }

    static let disconnect = Action(
        "disconnect", title: Text("Disconnect", fr: "Dissocier"),
        Text("Disconnects the MGEN Connect account.", fr: "Dissocie le compte MGEN Connect.")
    ) { (settings: Settings, request) in
        try await settings.write(request) { try $0.disconnect($1) }
    }

    static let restore = Action("restore", title: Restoring.title, Restoring.summary) { (settings: Settings, request) in
        try await settings.write(request) { try $0.saveProfile(.initial, of: $1) }
    }

    /// Whether it can be one: only a mail to it would show that it is one.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
    }

    private func write(
        _ request: ActionContext, _ change: @escaping @Sendable (inout SettingsTransaction, String) throws -> Void
    ) async throws {
        let user = try request.user
        try await store.write { try change(&$0, user) }
    }
}
