import ScreenModel
import ScreenService
import Storage

// The types of their views on the wire are `post`, `more`, `end`.
extension Posts {
    /// Shows one post.
    struct PostCell: CellContent {
        let post: Post

        var id: String { "post-\(post.id)" }

        func writeFields(to content: inout some ContentWriter) {
            content.field("title", post.title)
            content.field("body", post.body)
        }
    }

    /// Leads to a longer list.
    struct MoreFooter: Selectable {
        let title: String
        let detail: String
        /// How many posts that list shows at most.
        let limit: Int

        var whenSelected: Selection {
            .link(ScreenLink(Posts.name, parameters: [Posts.limit.name: String(limit)]))
        }

        func writeFields(to content: inout some ContentWriter) {
            content.field("title", title)
            content.field("detail", detail)
        }
    }

    /// Says that no more is to come.
    struct EndFooter: ViewContent {
        let text: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("text", text)
        }
    }
}
