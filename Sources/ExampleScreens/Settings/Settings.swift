public import ExampleStores
import ScreenModel
public import ScreenService

/// A form of what a user has set about themselves.
///
/// Its cells keep their ids in both layouts, so that going from one to the other moves them.
struct Settings: Screen {
    typealias Model = TableViewModel<AnyView, AnyCell>

    /// Where the cells of the account stand.
    enum Arrangement: String, CaseIterable {
        case separate, merged
    }

    static let name = "settings"
    static let layout = Parameter.choice(
        "layout", default: Arrangement.separate, "Whether the account has a section of its own."
    )
    .texts { SettingsTexts(locale: $0).layoutParameter }

    static var cellTypes: [any ViewContent.Type]? {
        [FieldCell.self, PasswordCell.self, ConnectCell.self, ConnectedCell.self]
    }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, InvitationFooter.self] }

    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: ActionName.restore) }
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [layout]
    let store: any Store<any SettingsTransaction>

    func title(in locale: ScreenLocale) -> String {
        SettingsTexts(locale: locale).title
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let user = try request.user
        let profile = try await store.read { try $0.profile(of: user) }
        return ScreenContent(
            title: title(in: request.locale),
            model: Self.model(of: profile, request[Self.layout], in: request.locale)
        )
    }

    static func model(of profile: Profile, _ arrangement: Arrangement, in locale: ScreenLocale) -> Model {
        let texts = SettingsTexts(locale: locale)
        let userInfo = AnyView(SectionHeader(title: texts.userInfo))
        let account = AnyView(SectionHeader(title: texts.account))
        let invitation = profile.isConnected ? nil : AnyView(InvitationFooter(text: texts.invitation))

        return switch arrangement {
        case .separate:
            Model {
                Model.Section(id: "userInfo", header: userInfo) { nameCells(of: profile, texts) }
                Model.Section(id: "account", header: account, footer: invitation) { accountCells(of: profile, texts) }
            }
        case .merged:
            Model {
                Model.Section(id: "userInfo", header: userInfo, footer: invitation) {
                    nameCells(of: profile, texts)
                    accountCells(of: profile, texts)
                }
            }
        }
    }

    @ListBuilder<AnyCell>
    private static func nameCells(of profile: Profile, _ texts: SettingsTexts) -> [AnyCell] {
        FieldCell(
            id: "firstName", label: texts.firstName, value: profile.firstName, placeholder: texts.noFirstName,
            action: ActionName.rename, field: Self.firstName.name
        )
        FieldCell(
            id: "familyName", label: texts.familyName, value: profile.familyName, placeholder: texts.noFamilyName,
            action: ActionName.rename, field: Self.familyName.name
        )
    }

    @ListBuilder<AnyCell>
    private static func accountCells(of profile: Profile, _ texts: SettingsTexts) -> [AnyCell] {
        FieldCell(
            id: "email", label: texts.email, value: profile.email, placeholder: texts.noEmail,
            action: ActionName.changeEmail, field: Self.email.name
        )
        PasswordCell(isSet: profile.hasPassword, texts)
        if profile.isConnected { ConnectedCell(texts) } else { ConnectCell(label: texts.connect) }
    }
}

extension ExampleScreens {
    /// What a user has set about themselves: a form.
    public static func settings(store: any Store<any SettingsTransaction>) -> any Screen {
        Settings(store: store)
    }
}
