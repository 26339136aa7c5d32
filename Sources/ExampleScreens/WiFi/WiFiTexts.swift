import ScreenService

/// What ``WiFi`` says, in one language.
struct WiFiTexts {
    let locale: ScreenLocale

    var title: String { locale.text(english: "Wi-Fi", french: "Wi-Fi") }
    var joined: String { locale.text(english: "Joined network", french: "Réseau connecté") }
    var inRange: String { locale.text(english: "Networks in range", french: "Réseaux à portée") }
    var network: String { locale.text(english: "Network", french: "Réseau") }
    var password: String { locale.text(english: "Password", french: "Mot de passe") }
    var forget: String { locale.text(english: "Forget", french: "Oublier") }

    var toggle: String { locale.text(english: "Turn on or off", french: "Allumer ou éteindre") }
    var toToggle: String { locale.text(english: "Turns Wi-Fi on or off.", french: "Allume ou éteint le Wi-Fi.") }
    var join: String { locale.text(english: "Join", french: "Rejoindre") }
    var toJoin: String {
        locale.text(
            english: "Joins a network in range; one that is secured asks for a password, which is not kept.",
            french: "Rejoint un réseau à portée ; s’il est sécurisé, il demande un mot de passe, qui n’est pas gardé."
        )
    }

    var toForget: String { locale.text(english: "Forgets the network that is joined.", french: "Oublie le réseau connecté.") }

    var off: String {
        locale.text(english: "Turn Wi-Fi on to see networks.", french: "Activez le Wi-Fi pour voir les réseaux.")
    }

    var outOfRange: String {
        locale.text(english: "This network is out of range.", french: "Ce réseau est hors de portée.")
    }

    var notJoined: String {
        locale.text(english: "This network is not joined.", french: "Ce réseau n’est pas connecté.")
    }

    func tooShort(_ minimum: Int) -> String {
        locale.text(
            english: "The password of a network has at least \(minimum) characters.",
            french: "Le mot de passe d’un réseau compte au moins \(minimum) caractères."
        )
    }

    func detail(bars: Int, isSecured: Bool) -> String {
        let security = isSecured
            ? locale.text(english: "Secured", french: "Sécurisé") : locale.text(english: "Open", french: "Ouvert")
        let strength =
            switch bars {
            case 0: locale.text(english: "out of range", french: "hors de portée")
            case 1: locale.text(english: "weak", french: "faible")
            case 2: locale.text(english: "fair", french: "moyen")
            case 3: locale.text(english: "good", french: "bon")
            default: locale.text(english: "strong", french: "fort")
            }
        return "\(security), \(strength)"
    }
}
