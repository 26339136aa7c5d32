import ScreenService

/// What ``Settings`` says, in one language.
struct SettingsTexts {
    let locale: ScreenLocale

    var title: String { locale.text(english: "Settings", french: "Paramètres") }

    var userInfo: String { locale.text(english: "My information", french: "Mes informations") }
    var firstName: String { locale.text(english: "First name", french: "Prénom") }
    var noFirstName: String { locale.text(english: "Your first name", french: "Votre prénom") }
    var familyName: String { locale.text(english: "Family name", french: "Nom") }
    var noFamilyName: String { locale.text(english: "Your family name", french: "Votre nom") }

    var account: String { locale.text(english: "My account", french: "Mon compte") }
    var email: String { locale.text(english: "Email", french: "E-mail") }
    var noEmail: String { locale.text(english: "Your email address", french: "Votre adresse e-mail") }
    var password: String { locale.text(english: "Password", french: "Mot de passe") }
    var set: String { locale.text(english: "Set", french: "Défini") }
    var notSet: String { locale.text(english: "Not set", french: "Non défini") }

    var connect: String {
        locale.text(english: "Connect an MGEN Connect account", french: "Associer un compte MGEN Connect")
    }

    var connection: String { locale.text(english: "MGEN Connect account", french: "Compte MGEN Connect") }
    var connected: String { locale.text(english: "Connected", french: "Associé") }
    var disconnect: String { locale.text(english: "Disconnect", french: "Dissocier") }

    var noAddress: String {
        locale.text(
            english: "An email address has one @ with a name before it and a domain after it, and no spaces.",
            french: "Une adresse e-mail a un seul @, un nom avant, un domaine après, et aucun espace."
        )
    }

    func tooShort(_ minimum: Int) -> String {
        locale.text(
            english: "A password has at least \(minimum) characters.",
            french: "Un mot de passe compte au moins \(minimum) caractères."
        )
    }

    var invitation: String {
        locale.text(
            english: "With an MGEN Connect account you sign in once for all your services. Connect yours here.",
            french: "Avec un compte MGEN Connect, une seule connexion ouvre tous vos services. Associez le vôtre ici."
        )
    }
}

// What the list of screens says.
extension SettingsTexts {
    var layoutParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Layout", french: "Disposition"),
            summary: locale.text(
                english: "Whether the account has a section of its own.", french: "Si le compte a une section à lui."
            ),
            choices: [
                locale.text(english: "Separate", french: "Séparées"), locale.text(english: "Merged", french: "Réunies"),
            ]
        )
    }

    var rename: String { locale.text(english: "Change the name", french: "Changer le nom") }
    var toRename: String {
        locale.text(english: "Changes the name; what is left out stays.", french: "Change le nom ; ce qui manque reste.")
    }

    var changeEmail: String { locale.text(english: "Change the email address", french: "Changer l’adresse e-mail") }
    var toChangeEmail: String { locale.text(english: "Changes the email address.", french: "Change l’adresse e-mail.") }
    var changePassword: String { locale.text(english: "Change the password", french: "Changer le mot de passe") }
    var toChangePassword: String {
        locale.text(
            english: "Sets the password, which is not kept: nothing here checks it.",
            french: "Définit le mot de passe, qui n’est pas gardé : rien ici ne le vérifie."
        )
    }

    var toConnect: String { locale.text(english: "Connects an MGEN Connect account.", french: "Associe un compte MGEN Connect.") }
    var toDisconnect: String {
        locale.text(english: "Disconnects the MGEN Connect account.", french: "Dissocie le compte MGEN Connect.")
    }
}
