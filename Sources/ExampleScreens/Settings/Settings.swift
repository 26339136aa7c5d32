public import ExampleRecords
import ScreenModel
public import ScreenService

/// A form with the personal settings of a user. A user can choose between two arrangements of the cells. The cells have the same ids in
/// both arrangements, so clients move the cells when the arrangement changes.
struct Settings: Screen {
    typealias Model = TableViewModel<AnyView, AnyCell>

    /// The place of the cells about the account: in a section of their own, or below the name.
    enum Arrangement: String, CaseIterable {
        case separate, merged
    }

    static let name = "settings"
    static let layout = Parameter.choice(
        "layout", title: Text("Layout", fr: "Disposition"), default: Arrangement.separate,
        Text("Whether the account has a section of its own.", fr: "Si le compte a une section à lui."),
        titles: [Text("Separate", fr: "Séparées"), Text("Merged", fr: "Réunies")]
    )
    static var cellTypes: [any ViewContent.Type]? { [FieldCell.self, PasswordCell.self, ConnectCell.self, ConnectedCell.self] }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, InvitationFooter.self] }
    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: restore.name) }

    let title = Text("Settings", fr: "Paramètres")
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [layout]
    let actions = [rename, changeEmail, changePassword, connect, disconnect, restore]
    let store: Store<SettingsTransaction>

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let user = try request.user
        let profile = try await store.read { try $0.profile(of: user) }
        return ScreenContent(
            title: title.in(request.locale), model: Self.model(of: profile, request[Self.layout], in: request.locale)
        )
    }

    static func model(of profile: Profile, _ arrangement: Arrangement, in locale: ScreenLocale) -> Model {
        let userInfo = AnyView(SectionHeader(title: Text("My information", fr: "Mes informations").in(locale)))
        let account = AnyView(SectionHeader(title: Text("My account", fr: "Mon compte").in(locale)))
        let invitation = Text(
            "With an MGEN Connect account you sign in once for all your services. Connect yours here.",
            fr: "Avec un compte MGEN Connect, une seule connexion ouvre tous vos services. Associez le vôtre ici."
        )
        let footer = profile.isConnected ? nil : AnyView(InvitationFooter(text: invitation.in(locale)))
        let (nameCells, accountCells) = (nameCells(of: profile, in: locale), accountCells(of: profile, in: locale))
        return switch arrangement {
        case .separate:
            Model {
                Model.Section(id: "userInfo", header: userInfo, cells: nameCells)
                Model.Section(id: "account", header: account, footer: footer, cells: accountCells)
            }
        case .merged:
            Model(section: Model.Section(id: "userInfo", header: userInfo, footer: footer, cells: nameCells + accountCells))
        }
    }

    @ListBuilder<AnyCell>
    private static func nameCells(of profile: Profile, in locale: ScreenLocale) -> [AnyCell] {
        FieldCell(firstName, profile.firstName, Text("Your first name", fr: "Votre prénom"), rename, in: locale)
        FieldCell(familyName, profile.familyName, Text("Your family name", fr: "Votre nom"), rename, in: locale)
    }

    @ListBuilder<AnyCell>
    private static func accountCells(of profile: Profile, in locale: ScreenLocale) -> [AnyCell] {
        FieldCell(email, profile.email, Text("Your email address", fr: "Votre adresse e-mail"), changeEmail, in: locale)
        PasswordCell(
            label: password.title.in(locale), isSet: profile.hasPassword,
            value: (profile.hasPassword ? Text("Set", fr: "Défini") : Text("Not set", fr: "Non défini")).in(locale)
        )
        if profile.isConnected {
            ConnectedCell(
                label: Text("MGEN Connect account", fr: "Compte MGEN Connect").in(locale),
                value: Text("Connected", fr: "Associé").in(locale), actions: [OfferedAction(disconnect, in: locale)]
            )
        } else {
            ConnectCell(label: connect.title(in: locale))
        }
    }
}

extension ExampleScreens {
    /// Creates the form with the personal settings of a user.
    public static func settings(store: Store<SettingsTransaction>) -> any Screen {
        Settings(store: store)
    }
}
