// The types of the machine's state, events and effects.
extension ClientMachine {
    package typealias RequestID = Int

    package enum Mode: Hashable, Sendable {
        case idle
        case following
        case paused
    }

    package enum Line: Hashable, Sendable {
        case none
        case request(RequestID, Request.Kind, sent: Duration)
        case stream(RequestID, StreamProgress)
        /// A pause before the next attempt. The pause ends when the timer with this id fires. The value `until` is the latest time at which
        /// the timer fires.
        case pause(RequestID, until: Duration)
        /// The next request waits for a new token.
        case renewal
    }

    package struct StreamProgress: Hashable, Sendable {
        /// The time when the stream was opened, or `nil` if it is not open yet.
        var opened: Duration?
        /// The time when bytes of the stream last arrived. Until the first bytes arrive, this is the time when the stream was requested.
        var lastByte: Duration
        var hasBytes = false
        /// A Boolean value that indicates whether an event has arrived on the stream.
        var hasEvents = false
    }

    package struct PendingAction: Hashable, Sendable {
        package let key: String
        let generation: Int
        /// The time after which the action is not sent again, because the server may no longer remember the key.
        package let expiry: Duration
        var state = State.queued
        /// The number of requests that were sent with the key since the network last changed.
        var sends = 0
        /// The number of requests that were sent with the key.
        var totalSends = 0
        /// A Boolean value that indicates whether the outcome of an earlier request with the key is not known.
        var isInDoubt: Bool
        var hasNewToken = false

        /// A Boolean value that indicates whether no request with the key was sent since the network last changed, and no earlier request
        /// can have performed the action.
        var isUnsent: Bool { sends == 0 && !isInDoubt }

        /// Returns a Boolean value that indicates whether a request for the action can be sent. After the expiry, the server may no longer
        /// remember earlier requests with the key, so it could perform the action a second time.
        func canBeSent(at now: Duration) -> Bool {
            totalSends < ClientMachine.totalSendLimit && (isUnsent || now < expiry)
        }

        /// The id of the request or the pause in progress.
        var requestID: RequestID? {
            switch state {
            case .sent(let id), .pause(let id): id
            case .queued, .renewal: nil
            }
        }

        enum State: Hashable, Sendable {
            case queued
            case sent(RequestID)
            case pause(RequestID)
            case renewal
        }
    }

    enum Demand: Hashable {
        case nothing
        case changes
        case snapshot
    }

    /// A request to send.
    package struct Request: Hashable, Sendable {
        package let kind: Kind
        /// The position tokens to send with the request.
        package let positions: [String]

        package enum Kind: Hashable, Sendable {
            /// A GET of the snapshot.
            case snapshot
            /// A request for the changes from a version.
            case changes(from: String)
            /// A request for the changes from a version. The server waits until there are changes before it responds.
            case poll(from: String)
            case stream(from: String)
            /// A request to perform an action. If `from` is `nil`, the request asks for a response without a document.
            case action(key: String, from: String?)
        }
    }

    /// The head of a document. It decides what a client does with the document.
    package struct DocumentHead: Hashable, Sendable {
        /// The version that a changeset starts from, or `nil` for a snapshot.
        package let from: String?
        package let version: String

        package init(from: String?, version: String) {
            self.from = from
            self.version = version
        }
    }

    /// A failure of a request.
    package enum Failure: Hashable, Sendable {
        /// There was no response, or the response did not come from the service.
        case unreachable
        /// The response contains a document that the client cannot read.
        case unreadable
        /// The server responded with a problem.
        case problem(status: Int, retryAfter: Duration?, outcome: Outcome?)
        /// The token source threw an error.
        case token
        /// The owner of the machine cancelled the request.
        case cancelled

        var isTemporary: Bool {
            switch self {
            case .unreachable, .unreadable: true
            case .problem(let status, _, _): status >= 500 || [408, 409, 425, 429].contains(status)
            case .token, .cancelled: false
            }
        }

        var retryAfter: Duration {
            if case .problem(_, let pause?, _) = self { pause } else { .zero }
        }

        var outcome: Outcome? {
            if case .problem(_, _, let outcome) = self { outcome } else { nil }
        }

        func hasStatus(_ status: Int) -> Bool {
            if case .problem(status, _, _) = self { true } else { false }
        }
    }

    /// The outcome of an action, as a problem document states it.
    package enum Outcome: String, Hashable, Sendable {
        case performed
        case notPerformed = "not-performed"
        case unknown
    }

    /// The successful response to a request.
    package struct Answer: Hashable, Sendable {
        /// The head of the document, or `nil` if the response has no document.
        package let head: DocumentHead?
        /// The position token of the response.
        package let position: String?
        /// The time for which shared caches may keep the response.
        package let sharedMaxAge: Duration

        package init(_ head: DocumentHead?, position: String? = nil, sharedMaxAge: Duration = .zero) {
            self.head = head
            self.position = position
            self.sharedMaxAge = sharedMaxAge
        }
    }

    package enum Event: Hashable, Sendable {
        // Events that the owner of the machine sends.

        /// The owner of the machine has read a snapshot with this version from the device.
        case restored(version: String)
        case follow
        case pause
        case refresh
        /// The parameters of the view changed.
        case show
        /// The app performs an action, or repeats an attempt whose outcome is not known. The attempt is already stored. `isInDoubt` is true
        /// if the attempt is repeated, because the server may have received an earlier request with the same key. `expiry` is the time
        /// after which the server may no longer remember the key.
        case perform(key: String, isInDoubt: Bool, expiry: Duration)
        /// The owner of the machine no longer waits for an action.
        case abandon(key: String)
        /// The network of the device changed.
        case networkChanged
        /// Another screen of the same client received a position token.
        case positionLearned(String)
        /// The user changed. The machine discards all content, and does not follow the view until the next ``follow``.
        case reset

        // Events that the transport sends. The machine ignores events of requests that it no longer waits for.

        case answered(RequestID, Answer)
        case failed(RequestID, Failure)
        /// The head of a stream's response arrived.
        case opened(RequestID)
        /// Bytes of a stream arrived.
        case received(RequestID)
        /// The stream suggests a pause before it is reopened.
        case suggestedPause(RequestID, Duration)
        /// A document arrived on a stream.
        case document(RequestID, DocumentHead)
        /// A stream confirmed that a version is current.
        case confirmed(RequestID, version: String)
        /// A stream reported that the view cannot be refreshed.
        case stale(RequestID)
        /// A stream ended without an error.
        case ended(RequestID)

        // Events that are sent by the code that performs the effects.

        /// The changeset of the previous event could not be applied, so the client still holds the given version. The owner of the machine
        /// first performs the remaining effects of the previous event, except ``Effect/loaded(_:)``, because the load is not finished. Then
        /// it sends this event, before any other event.
        case misfit(held: String)
        case woke(RequestID)
        case tokenRenewed
        case tokenFailed
    }

    package enum Effect: Hashable, Sendable {
        case send(RequestID, Request)
        /// Cancel the request or the timer with this id.
        case cancel(RequestID)
        /// Sleep for a random time in this range, and then pass ``Event/woke(_:)`` to the machine.
        case sleep(RequestID, ClosedRange<Duration>)
        /// Show the document of the event that is being handled.
        case take(Disposition)
        case renewToken
        /// Store the held snapshot.
        case save
        /// Pass a position token to the other screens of the client. Their requests must also contain the token.
        case share(position: String)
        /// End the loads that the owner of the machine requested. The failure is `nil` if the loads succeeded.
        case loaded(Failure?)
        /// End the execution of the action with this key. The machine no longer handles the action.
        case resolve(key: String, ActionResult)
        /// Notify observers, because the observable state changed.
        case publish
    }

    package enum Disposition: Hashable, Sendable {
        /// The document is a snapshot that replaces the held snapshot.
        case replace
        /// The document is a changeset that applies to the held snapshot.
        case apply
    }

    package enum ActionResult: Hashable, Sendable {
        case performed
        /// The action was certainly not performed.
        case rejected(Failure)
        /// The action may have been performed.
        case undecided(Failure)
    }
}
