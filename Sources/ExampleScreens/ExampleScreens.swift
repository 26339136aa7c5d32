public import ScreenService
public import Storage

/// Lists the screens that come with the server.
///
/// Each is one folder here and one line below; the service serves what it is given.
public enum ExampleScreens {
    /// All of them, in the order in which `GET /screens` lists them.
    ///
    /// - Parameter store: keeps the data that they show.
    public static func all(store: any Store) -> [any Screen] {
        [
            Settings(store: store),
            Deliveries(store: store),
            Posts(store: store),
            Mountains(store: store),
            ArtistScreen(store: store),
        ]
    }
}
