public import Foundation
public import Logging
public import ScreenService
public import Storage

/// Lists the screens that come with the server.
///
/// Each is one folder here and one line below; the service serves what it is given.
public enum ExampleScreens {
    /// All of them, in the order in which `GET /screens` lists them.
    ///
    /// - Parameters:
    ///   - store: keeps the data that they show.
    ///   - topics: those of the store; told of what changes that is not in it.
    ///   - postsUpstream: the `http` or `https` URL to whose path `/posts` is added; nil takes the posts of the store.
    ///   - patience: how long who asks for posts waits for an upstream.
    ///   - logger: is told what an upstream fails to bring.
    public static func all(
        store: any Store, topics: Topics, postsUpstream: URL? = nil, patience: Duration = .seconds(2),
        logger: Logger = Logger(label: "posts")
    ) -> [any Screen] {
        [
            Settings(store: store),
            Deliveries(store: store),
            Posts(
                store: store,
                loader: postsUpstream.map { url in
                    PostsLoader(
                        source: LoggedPosts(source: PostsUpstream(base: url), logger: logger), topics: topics,
                        patience: patience
                    )
                }
            ),
            Mountains(store: store),
            ArtistScreen(store: store),
            WiFi(store: store, scanner: WiFiScanner(topics: topics)),
        ]
    }
}
