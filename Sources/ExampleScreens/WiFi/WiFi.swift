public import ExampleStores
import ScreenModel
public import ScreenService

/// The wireless networks in range, live: while somebody watches, it scans.
struct WiFi: Screen {
    typealias Model = TableViewModel<AnyView, AnyCell>

    static let name = "wifi"
    static var cellTypes: [any ViewContent.Type]? { [SwitchCell.self, NetworkCell.self] }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, HintFooter.self] }

    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: ActionName.restore) }
    let visibility = Visibility.user
    let store: any Store<any WiFiTransaction>
    let scanner: WiFiScanner

    func title(in locale: ScreenLocale) -> String {
        WiFiTexts(locale: locale).title
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let user = try request.user
        let settings = try await store.read { try $0.wifiSettings(of: user) }
        // While it is off nothing of the scan is shown, so nothing of it is read.
        let found = settings.isOn ? scanner.found(for: request.audience) : []
        return ScreenContent(
            title: title(in: request.locale), model: Self.model(of: settings, found, in: request.locale)
        )
    }

    func whileWatched(by audience: Audience) async {
        await scanner.run(for: audience)
    }

    /// - Parameter found: the networks in range, the strongest first.
    static func model(of settings: WiFiSettings, _ found: [FoundNetwork], in locale: ScreenLocale) -> Model {
        let texts = WiFiTexts(locale: locale)
        let joined = settings.isOn ? settings.joinedNetwork.flatMap { WiFiNetwork.known[$0] } : nil
        return Model {
            Model.Section(id: "power", footer: settings.isOn ? nil : AnyView(HintFooter(text: texts.off))) {
                SwitchCell(label: texts.title, isOn: settings.isOn)
            }
            if let joined {
                Model.Section(id: "joined", header: AnyView(SectionHeader(title: texts.joined))) {
                    NetworkCell(joined, found.first { $0.network == joined }?.bars ?? 0, isJoined: true, texts)
                }
            }
            if settings.isOn {
                Model.Section(
                    id: "networks", header: AnyView(SectionHeader(title: texts.inRange)),
                    entities: found.filter { $0.network != joined }
                ) { found in
                    NetworkCell(found.network, found.bars, isJoined: false, texts)
                }
            }
        }
    }
}

extension ExampleScreens {
    /// The wireless networks in range, live.
    ///
    /// - Parameters:
    ///   - topics: told of each scan, which is not in the store.
    ///   - now: the time since 1970, on which it depends what is in range; the system's by default.
    public static func wifi(
        store: any Store<any WiFiTransaction>, topics: Topics, now: (@Sendable () -> Duration)? = nil
    ) -> any Screen {
        WiFi(store: store, scanner: WiFiScanner(topics: topics, now: now ?? WiFiScanner.timeSince1970))
    }
}
