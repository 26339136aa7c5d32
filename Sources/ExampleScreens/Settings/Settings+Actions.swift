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
        try await settings.change(request) { profile in
            if let firstName { profile.firstName = firstName }
            if let familyName { profile.familyName = familyName }
        }
    }

    static let changeEmail = Action(
        "changeEmail", title: Text("Change the email address", fr: "Changer l’adresse e-mail"),
        Text("Changes the email address.", fr: "Change l’adresse e-mail."), email
    ) { (settings: Settings, request, address) in
        guard isAddress(address) else {
            let rule = Text(
                "An email address has one @ with a name before it and a domain after it, and no spaces.",
                fr: "Une adresse e-mail a un seul @, un nom avant, un domaine après, et aucun espace."
            )
            throw BrokenRules(email, rule, in: request.locale)
        }
        try await settings.change(request) { $0.email = address }
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
            throw BrokenRules(password, detail, in: request.locale)
        }
        try await settings.change(request) { $0.hasPassword = true }
    }

    static let connect = Action(
        "connect", title: Text("Connect an MGEN Connect account", fr: "Associer un compte MGEN Connect"),
        Text("Connects an MGEN Connect account.", fr: "Associe un compte MGEN Connect.")
    ) { (settings: Settings, request) in
        try await settings.change(request) { $0.isConnected = true }
    }

    static let disconnect = Action(
        "disconnect", title: Text("Disconnect", fr: "Dissocier"),
        Text("Disconnects the MGEN Connect account.", fr: "Dissocie le compte MGEN Connect.")
    ) { (settings: Settings, request) in
        try await settings.change(request) { $0.isConnected = false }
    }

    static let restore = Action("restore", title: Restoring.title, Restoring.summary) { (settings: Settings, request) in
        try await settings.change(request) { $0 = .initial }
    }

    /// Returns a Boolean value that indicates whether a text looks like an email address.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
    }

    private func change(_ request: ActionContext, _ change: @escaping @Sendable (inout Profile) -> Void) async throws {
        let user = try request.user
        try await store.write { try $0.changeProfile(of: user, change) }
    }
}
