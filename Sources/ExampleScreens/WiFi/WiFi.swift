public import ExampleRecords
import ScreenModel
public import ScreenService

/// A screen that shows the wireless networks in range. A simulated scan runs while the screen has followers.
struct WiFi: Screen {
    typealias Model = TableViewModel<AnyView, AnyCell>

    static let name = "wifi"
    static var cellTypes: [any ViewContent.Type]? { [SwitchCell.self, NetworkCell.self] }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, HintFooter.self] }

    static var example: ScreenExample? { ScreenExample(source: #filePath, restoration: restore.name) }
    static let off = Text("Turn Wi-Fi on to see networks.", fr: "Activez le Wi-Fi pour voir les réseaux.")

    let title: Text = "Wi-Fi"
    let visibility = Visibility.user
    let actions = [toggle, join, forget, restore]
    let store: Store<WiFiTransaction>
    let scanner: WiFiScanner

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let user = try request.user
        let settings = try await store.read { try $0.wifiSettings(of: user) }
        // If Wi-Fi is off, the screen shows no networks and does not read the scan. So scans do not outdate the screen.
        let found = settings.isOn ? scanner.found(for: request.audience) : []
        return ScreenContent(
            title: title.in(request.locale), model: Self.model(of: settings, found, in: request.locale)
        )
    }

    func whileWatched(by audience: Audience) async {
        await scanner.run(for: audience)
    }

    static func model(of settings: WiFiSettings, _ found: [FoundNetwork], in locale: ScreenLocale) -> Model {
        let joinedHeader = SectionHeader(title: Text("Joined network", fr: "Réseau connecté").in(locale))
        let foundHeader = SectionHeader(title: Text("Networks in range", fr: "Réseaux à portée").in(locale))
        let joined = settings.isOn ? settings.joinedNetwork.flatMap { WiFiNetwork.known[$0] } : nil
        return Model {
            Model.Section(id: "power", footer: settings.isOn ? nil : AnyView(HintFooter(text: off.in(locale)))) {
                SwitchCell(label: on.title.in(locale), isOn: settings.isOn)
            }
            if let joined {
                Model.Section(id: "joined", header: AnyView(joinedHeader)) {
                    NetworkCell(joined, found.first { $0.network == joined }?.bars ?? 0, isJoined: true, in: locale)
                }
            }
            if settings.isOn {
                Model.Section(id: "networks", header: AnyView(foundHeader), entities: found.filter { $0.network != joined }) {
                    NetworkCell($0.network, $0.bars, isJoined: false, in: locale)
                }
            }
        }
    }
}

extension ExampleScreens {
    /// Creates the screen of the wireless networks in range. `topics` announces each simulated scan. `now` returns the time since 1970,
    /// which determines the networks in range. By default, it is the system's clock.
    public static func wifi(
        store: Store<WiFiTransaction>, topics: Topics, now: (@Sendable () -> Duration)? = nil
    ) -> any Screen {
        WiFi(store: store, scanner: WiFiScanner(topics: topics, now: now ?? WiFiScanner.timeSince1970))
    }
}
