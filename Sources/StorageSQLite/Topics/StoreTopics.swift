import ScreenService

/// What a transaction read, and the topic that stands for it.
///
/// With ``StoreWrite`` this is the one place that names the store's topics. Data that is missing
/// has the topic that it would have, so that its coming is announced to whoever missed it.
enum StoreRead {
    case profile(user: String)
    case contract(number: String)
    case contractNames
    /// Any of a contract's deliveries, one of them, or their sums.
    case deliveries(contract: String)
    case posts
    case mountains
    /// An artist, their albums or their tracks.
    case artist
    case wifi(user: String)

    var topic: Topic {
        switch self {
        case .profile(let user): Topic("settings/" + user)
        case .contract(let number): Topic("contract/" + number)
        case .contractNames: Topic("contracts")
        case .deliveries(let contract): Topic("deliveries/" + contract)
        case .posts: Topic("posts")
        case .mountains: Topic("mountains")
        case .artist: Topic("artist")
        case .wifi(let user): Topic("wifi/" + user)
        }
    }
}

/// What a transaction changed, and which reads it makes stale.
enum StoreWrite {
    case profile(user: String)
    case contract(number: String)
    /// A contract that the list of contracts did not show with this name before.
    case contractAndItsName(number: String)
    case deliveries(contract: String)
    case posts
    case mountains
    case artist
    case wifi(user: String)

    var staleReads: [StoreRead] {
        switch self {
        case .profile(let user): [.profile(user: user)]
        case .contract(let number): [.contract(number: number)]
        case .contractAndItsName(let number): [.contract(number: number), .contractNames]
        case .deliveries(let contract): [.deliveries(contract: contract)]
        case .posts: [.posts]
        case .mountains: [.mountains]
        case .artist: [.artist]
        case .wifi(let user): [.wifi(user: user)]
        }
    }
}
