import ScreenDiff
import Testing

/// The examples of the talk that introduced diffable data sources: "Advances in UI Data Sources", WWDC 2019, session 220. Only the types
/// of the view, of the data source and of the snapshot differ from the code of the talk.
@MainActor @Suite struct DiffableTalk {
    @Test func eachChangeOfASearchTextInsertsOnlyNewMatchesAndDeletesOnlyFormerMatches() {
        let controller = MountainsViewController()
        let view = controller.view
        let letters = ["", "m", "mo", "mon", "mont", "mo", "", "K", "k2", "xyz", "al"]
        for (before, filter) in zip(letters, letters.dropFirst()) {
            controller.performQuery(with: before)
            view.forgetEffects()
            controller.performQuery(with: filter)
            let (old, new) = (names(for: before), names(for: filter))
            #expect(view.shown.map { $0.map(\.name) } == [new])
            #expect(view.created.map(\.name).sorted() == new.filter { !old.contains($0) })
            #expect(view.removed.map(\.name).sorted() == old.filter { !new.contains($0) })
            #expect(view.moved == [] && view.reloaded == [] && view.reloadCount == 0)
        }
    }

    private func names(for filter: String) -> [String] {
        MountainsController.names.filter { filter.isEmpty || $0.lowercased().contains(filter.lowercased()) }.sorted()
    }

    @Test func wifiNetworksAppearMoveAndVanishWithEachUpdate() {
        let controller = WiFiSettingsViewController()
        #expect(titles(controller) == [["Wi-Fi", "breeno-net"]])
        controller.view.forgetEffects()
        controller.wifiController.scan(["FlyOverNet", "cafe", "AirSpace"])
        #expect(titles(controller) == [["Wi-Fi", "breeno-net"], ["AirSpace", "FlyOverNet", "cafe"]])
        controller.view.forgetEffects()
        controller.wifiController.scan(["cafe", "Wolf", "AirSpace", "Living Room"])
        #expect(titles(controller)[1] == ["AirSpace", "Living Room", "Wolf", "cafe"])
        #expect(controller.view.created.map(\.title) == ["Living Room", "Wolf"])
        #expect(controller.view.removed.map(\.title) == ["FlyOverNet"])
        #expect(controller.view.moved == [])
    }

    @Test func turningWifiOffDeletesTheSectionOfNetworksAndTurningItOnInsertsTheSectionAgain() {
        let controller = WiFiSettingsViewController()
        controller.wifiController.scan(["cafe", "AirSpace"])
        controller.view.forgetEffects()
        controller.wifiController.wifiEnabled = false
        #expect(titles(controller) == [["Wi-Fi"]])
        #expect(controller.view.removed.map(\.title).sorted() == ["AirSpace", "breeno-net", "cafe"])
        controller.wifiController.scan(["Wolf"])
        #expect(titles(controller) == [["Wi-Fi"]])
        controller.view.forgetEffects()
        controller.wifiController.wifiEnabled = true
        #expect(titles(controller) == [["Wi-Fi", "breeno-net"], ["Wolf"]])
        #expect(controller.view.created.map(\.title).sorted() == ["Wolf", "breeno-net"])
        #expect(controller.view.reloadCount == 0)
    }

    private func titles(_ controller: WiFiSettingsViewController) -> [[String]] {
        controller.view.shown.map { $0.map(\.title) }
    }
}

// MARK: - Searching for mountains

private struct Mountain: Hashable {
    let name: String
    let height: Int

    func contains(_ filter: String?) -> Bool {
        guard let filterText = filter else { return true }
        if filterText.isEmpty { return true }
        return name.lowercased().contains(filterText.lowercased())
    }
}

private final class MountainsController {
    static let names = [
        "Aconcagua", "Aletschhorn", "Annapurna", "Cho Oyu", "Dent Blanche", "Denali", "Elbrus", "Gran Paradiso", "Hekla", "Hidden Peak",
        "K2", "Kamet", "Kilimanjaro", "Lhotse", "Makalu", "Matterhorn", "Monch", "Mont Blanc", "Mont Ventoux", "Monte Rosa", "Mount Cook",
        "Mount Everest", "Mount Logan", "Nanga Parbat", "Ojos del Salado", "Piz Bernina", "Puncak Jaya", "Saramati", "Snowdon", "Triglav",
        "Vinson Massif", "Weisshorn", "Zugspitze",
    ]

    private let mountains = names.reversed().enumerated().map { Mountain(name: $1, height: 3_000 + $0) }

    func filteredMountains(with filter: String?) -> [Mountain] {
        mountains.filter { $0.contains(filter) }
    }
}

@MainActor private final class MountainsViewController {
    enum Section: CaseIterable {
        case main
    }

    let view = CellsView<Section, Mountain>()
    private let mountainsController = MountainsController()

    func performQuery(with filter: String?) {
        let mountains = mountainsController.filteredMountains(with: filter).sorted { $0.name < $1.name }

        var snapshot = DiffableSnapshot<Section, Mountain>()
        snapshot.appendSections([.main])
        snapshot.appendItems(mountains)
        view.dataSource.apply(snapshot, animatingDifferences: true)
    }
}

// MARK: - Wi-Fi settings

private final class WiFiController {
    struct Network: Hashable {
        let name: String
    }

    typealias UpdateHandler = (WiFiController) -> Void

    var wifiEnabled = true {
        didSet { updateHandler(self) }
    }
    private(set) var availableNetworks: Set<Network> = []
    private let updateHandler: UpdateHandler

    init(updateHandler: @escaping UpdateHandler) {
        self.updateHandler = updateHandler
    }

    /// Replaces the networks in range. In the talk, a timer does this.
    func scan(_ names: [String]) {
        availableNetworks = Set(names.map(Network.init))
        updateHandler(self)
    }
}

@MainActor private final class WiFiSettingsViewController {
    enum Section: CaseIterable {
        case config, networks
    }

    enum ItemType {
        case wifiEnabled, currentNetwork, availableNetwork
    }

    struct Item: Hashable {
        let title: String
        let type: ItemType
    }

    let view = CellsView<Section, Item>()
    private(set) var wifiController: WiFiController!
    private let configurationItems = [Item(title: "Wi-Fi", type: .wifiEnabled), Item(title: "breeno-net", type: .currentNetwork)]

    init() {
        wifiController = WiFiController { [unowned self] _ in updateUI() }
        updateUI(animated: false)
    }

    private func updateUI(animated: Bool = true) {
        let configItems = configurationItems.filter { $0.type != .currentNetwork || wifiController?.wifiEnabled != false }

        var currentSnapshot = DiffableSnapshot<Section, Item>()
        currentSnapshot.appendSections([.config])
        currentSnapshot.appendItems(configItems, toSection: .config)

        if let controller = wifiController, controller.wifiEnabled, !controller.availableNetworks.isEmpty {
            let sortedNetworks = controller.availableNetworks.sorted { $0.name < $1.name }
            let networkItems = sortedNetworks.map { Item(title: $0.name, type: .availableNetwork) }
            currentSnapshot.appendSections([.networks])
            currentSnapshot.appendItems(networkItems, toSection: .networks)
        }
        view.dataSource.apply(currentSnapshot, animatingDifferences: animated)
    }
}
