import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct SettingsModelTests {
    @Test func aNewUserSeesAnEmptyFormAndAnInvitation() {
        #expect(
            transcript(Settings.model(of: .initial, .separate, in: .english)) == [
                "section userInfo",
                "header section title=My information",
                "firstName field label=First name value= placeholder=Your first name",
                "familyName field label=Family name value= placeholder=Your family name",
                "section account",
                "header section title=My account",
                "email field label=Email value=hodor@hodor.hodor placeholder=Your email address",
                "password password label=Password value=Set isSet=true",
                "connect connect label=Connect an MGEN Connect account",
                "footer invitation text=With an MGEN Connect account you sign in once for all your services. "
                    + "Connect yours here.",
            ]
        )
    }

    @Test func theTextsOfTheSettingsScreenAreTranslatedIntoFrench() {
        #expect(
            transcript(Settings.model(of: .initial, .separate, in: .french)) == [
                "section userInfo",
                "header section title=Mes informations",
                "firstName field label=Prénom value= placeholder=Votre prénom",
                "familyName field label=Nom value= placeholder=Votre nom",
                "section account",
                "header section title=Mon compte",
                "email field label=E-mail value=hodor@hodor.hodor placeholder=Votre adresse e-mail",
                "password password label=Mot de passe value=Défini isSet=true",
                "connect connect label=Associer un compte MGEN Connect",
                "footer invitation text=Avec un compte MGEN Connect, une seule connexion ouvre tous vos services. "
                    + "Associez le vôtre ici.",
            ]
        )
    }

    @Test(arguments: Settings.Arrangement.allCases)
    func aUserWithAConnectedAccountSeesNoInvitation(arrangement: Settings.Arrangement) {
        var profile = Profile.initial
        profile.isConnected = true
        let model = Settings.model(of: profile, arrangement, in: .english)
        #expect(model.footers.allSatisfy { $0 == nil })
        #expect(model.joined().map(\.id) == ["firstName", "familyName", "email", "password", "connected"])
    }

    @Test func theMergedLayoutMovesTheAccountCellsIntoTheFirstSection() {
        let separate = Settings.model(of: .initial, .separate, in: .english)
        let merged = Settings.model(of: .initial, .merged, in: .english)
        #expect(separate.map(\.id) == ["userInfo", "account"])
        #expect(merged.map(\.id) == ["userInfo"])
        let accountHeader = "header section title=My account"
        #expect(
            transcript(merged) == transcript(separate).filter { $0 != "section account" && $0 != accountHeader }
        )
    }

    @Test func theScreenShowsOnlyWhetherAPasswordIsSet() {
        var profile = Profile.initial
        profile.hasPassword = false
        let english = transcript(Settings.model(of: profile, .separate, in: .english))
        let french = transcript(Settings.model(of: profile, .separate, in: .french))
        #expect(english.contains("password password label=Password value=Not set isSet=false"))
        #expect(french.contains("password password label=Mot de passe value=Non défini isSet=false"))
    }
}
