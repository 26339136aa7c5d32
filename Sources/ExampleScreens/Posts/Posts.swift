import ScreenModel
import ScreenService
import Storage

/// Shows the first posts, and more of them as often as its footer is followed.
struct Posts: Screen {
    typealias Model = TableViewModel<AnyView, PostCell>

    static let name = "posts"
    /// How many more the footer asks for.
    static let step = 20
    static let limits = 1...1000
    static let limit = Parameter.integer("limit", in: limits, default: step, "How many posts to show.")

    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [limit]
    let store: any Store

    func title(in locale: ScreenLocale) -> String {
        PostsTexts(locale: locale).title
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let limit = request[Self.limit]
        let (posts, count) = try await store.read { try ($0.posts(first: limit), $0.postCount()) }
        return ScreenContent(
            title: title(in: request.locale),
            model: Self.model(of: posts, outOf: count, in: request.locale)
        )
    }

    /// - Parameter count: how many posts there are, shown or not.
    static func model(of posts: [Post], outOf count: Int, in locale: ScreenLocale) -> Model {
        let footer = footer(shown: posts.count, outOf: count, PostsTexts(locale: locale))
        return Model(section: Model.Section(id: "posts", footer: footer, entities: posts) { PostCell(post: $0) })
    }

    private static func footer(shown: Int, outOf count: Int, _ texts: PostsTexts) -> AnyView {
        if shown == count {
            AnyView(EndFooter(text: texts.end(count)))
        } else if shown >= limits.upperBound {
            AnyView(EndFooter(text: texts.shown(shown, outOf: count)))
        } else {
            AnyView(
                MoreFooter(
                    title: texts.more, detail: texts.shown(shown, outOf: count),
                    limit: min(shown + step, limits.upperBound)
                )
            )
        }
    }
}
