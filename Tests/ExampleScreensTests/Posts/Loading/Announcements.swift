import ScreenService

/// Notes what is announced.
final class Announcements: TopicAnnouncing {
    private let announced = Noted<Set<Topic>>()

    var all: [Set<Topic>] { announced.all }

    func announce(_ topics: Set<Topic>) { announced.add(topics) }
}
