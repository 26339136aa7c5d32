import ExampleRecords
import ScreenModel
import ScreenService

// These views have the types `post`, `count`, `more`, `loading`, `failure` and `end` on the wire.
extension Posts {
    /// A cell that shows a post.
    struct PostCell: CellContent, Equatable {
        let post: Post

        var id: String { "post-\(post.id)" }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.post.title)
            field("body", \.post.body)
        }
    }

    /// A header with the number of posts, and an action that loads the posts again.
    struct CountHeader: ViewContent, Equatable {
        let title: String
        let actions: [OfferedAction]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
        }
    }

    /// A footer with a link to a longer list.
    struct MoreFooter: Selectable {
        let title: String
        let detail: String
        let limit: Int

        var whenSelected: Selection {
            .link(ScreenLink(Posts.name, parameters: [Posts.limit.name: String(limit)]))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("detail", \.detail)
        }
    }

    /// A footer that says that more posts are loading.
    struct LoadingFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A footer with the reason why no more posts were loaded. Selecting the footer tries again.
    struct FailureFooter: Selectable {
        let title: String
        let text: String

        var whenSelected: Selection { .action(ScreenAction(retry)) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("text", \.text)
        }
    }

    /// A footer that says that there are no more posts.
    struct EndFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }
}
