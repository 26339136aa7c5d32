import ScreenModel
import ScreenService
import ScreenWire
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct DeclaredFieldsTests {
    @Test func eachViewWritesExactlyTheFieldsThatItsTypeDeclares() async throws {
        var written: [ObjectIdentifier: (type: any ViewContent.Type, keys: Set<String>)] = [:]
        for view in try await views() {
            let declared = DeclaredFields(of: type(of: view))
            let keys = writtenFields(of: view).map(\.name)
            #expect(!declared.areOpen)
            #expect(declared.fields.filter { $0.isRequired || keys.contains($0.key) }.map(\.key) == keys)
            written[ObjectIdentifier(type(of: view)), default: (type(of: view), [])].keys.formUnion(keys)
        }
        for (type, keys) in written.values {
            #expect(Set(DeclaredFields(of: type).fields.map(\.key)) == keys, "\(type)")
        }
    }

    /// Returns at least one view of each type that the screens declare.
    private func views() async throws -> [any ViewContent] {
        var views: [any ViewContent] = [
            Posts.LoadingFooter(text: ""), Posts.FailureFooter(title: "", text: ""), Posts.EndFooter(text: ""),
        ]
        for isConnected in [false, true] {
            var profile = Profile.initial
            profile.isConnected = isConnected
            views += self.views(of: Settings.model(of: profile, .separate, in: .english))
        }
        let found = [FoundNetwork(network: WiFiNetwork.known["grange"]!, signal: -50)]
        for isOn in [false, true] {
            let settings = WiFiSettings(isOn: isOn, joinedNetwork: nil)
            views += self.views(of: WiFi.model(of: settings, found, in: .english))
        }
        try await withStore(DeliveriesTransaction.self) { store in
            let deliveries = Deliveries(store: store)
            views += self.views(of: try await deliveries.content(for: .asking(deliveries)).model)
        }
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            views += self.views(of: try await posts.content(for: .asking(posts)).model)
        }
        try await withStore(MountainsTransaction.self) { store in
            let mountains = Mountains(store: store)
            for query in ["", "zzz"] {
                views += self.views(of: try await mountains.content(for: .asking(mountains, ["q": query])).model)
            }
        }
        try await withStore(ArtistTransaction.self) { store in
            let artist = ArtistScreen(store: store)
            for parameters in [[:], ["album": "drift-ice"]] {
                views += self.views(of: try await artist.content(for: .asking(artist, parameters)).model)
            }
        }
        return views
    }

    private func views(of model: TableViewModel<some ViewContent, some CellContent>) -> [any ViewContent] {
        model.flatMap { section in
            section.map(unwrapped) + [section.header.map(unwrapped), section.footer.map(unwrapped)].compactMap(\.self)
        }
    }

    private func views(of model: CollectionViewModel<some ViewContent, some CellContent>) -> [any ViewContent] {
        model.flatMap { section in
            section.map(unwrapped) + [section.header.map(unwrapped), section.footer.map(unwrapped)].compactMap(\.self)
                + section.supplementaryViews.values.map(unwrapped)
        }
    }

    private func unwrapped(_ view: some ViewContent) -> any ViewContent {
        (view as? any ViewVariant)?.view ?? view
    }
}
