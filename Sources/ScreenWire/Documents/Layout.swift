/// Says what kind of view shows a screen.
public enum Layout: String, Hashable, Sendable {
    case table
    case collection
}
