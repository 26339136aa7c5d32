import ScreenService

/// Says what ``Settings`` says, in one language.
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

    var invitation: String {
        locale.text(
            english: "With an MGEN Connect account you sign in once for all your services. Connect yours here.",
            french: "Avec un compte MGEN Connect, une seule connexion ouvre tous vos services. Associez le vôtre ici."
        )
    }
}
