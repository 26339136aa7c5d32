import HTTPServer
import ScreenService

// The metrics of a service and its server. A number that a part of the server stores anyway is read when the metrics are requested, so that
// it is not stored twice. `Documentation/Operations.md` lists all metrics, and a test compares the list with a running server.
extension MetricsRegistry {
    func observe(_ service: ScreenService, _ encoder: ContentEncoder, _ server: HTTPServer.Metrics?) {
        observeWork(of: service)
        observeActions(of: service)
        observeViews(of: service, encoder)
        observeHistory(of: service.history, service)
        observeFollowers(of: service)
        observeStore(of: service)
        observe(server ?? HTTPServer.Metrics())
    }

    /// Returns counts with a 0 for each name that has none, so that the rate of the first event can be computed.
    private static func complete(_ counts: [String: Int], _ names: [String]) -> [String: Int] {
        counts.merging(names.map { ($0, 0) }) { count, _ in count }
    }

    private static func complete(_ counts: [FailureCause: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: FailureCause.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
    }

    private func observeWork(of service: ScreenService) {
        let (metrics, screens) = (service.metrics, service.catalog.names)
        observe("relist_computations_total", .counter, "Computations of screens that have begun.", by: "screen") {
            Self.complete(metrics.current.computationsByScreen, screens)
        }
        observe("relist_computations_in_progress", .gauge, "Computations of screens in progress.", by: "screen") {
            Self.complete(service.runningComputations, screens)
        }
        describe("relist_computation_duration_seconds", .histogram, "Durations of computations of screens.")
        observe("relist_failures_total", .counter, "Computations of screens that have failed or could not begin.", by: "cause") {
            Self.complete(metrics.current.failuresByCause)
        }
        observe("relist_work_seconds_total", .counter, "Time spent on the parts of computations and responses.", by: "work") {
            let durations = metrics.durations
            return Dictionary(
                uniqueKeysWithValues: ServiceMetrics.Work.allCases.map { ($0.rawValue, (durations[$0] ?? .zero) / .seconds(1)) })
        }
        observe("relist_diffs_total", .counter, "Comparisons of two versions.") { metrics.current.diffs }
        observe("relist_renamed_ids_total", .counter, "Repeated ids that were made unique with a number.") { metrics.current.renamedIDs }
        observe("relist_stragglers", .gauge, "Computations and actions that are still running after their deadline.") {
            service.stragglerCount
        }
    }

    private func observeActions(of service: ScreenService) {
        let (metrics, screens) = (service.metrics, service.catalog.names)
        observe("relist_actions_total", .counter, "Performed actions.", by: "screen") {
            Self.complete(metrics.current.actionsByScreen, screens)
        }
        describe("relist_action_duration_seconds", .histogram, "Durations of the handlers of actions, with their transactions.")
        observe("relist_action_failures_total", .counter, "Requests for actions that failed.", by: "cause") {
            Self.complete(metrics.current.actionFailuresByCause)
        }
        observe("relist_actions_in_progress", .gauge, "Actions in progress, including those after their deadline.") {
            service.actionCounts.inProgress
        }
        observe("relist_held_keys", .gauge, "Idempotency keys of actions in progress.") { service.actionCounts.keys }
        observe("relist_refused_actions_total", .counter, "Actions rejected because too many were in progress.") {
            service.actionCounts.refused
        }
        observe("relist_receipts", .gauge, "Stored receipts of actions of the last 24 hours.") { service.receiptCounts.receipts }
        observe("relist_receipt_bytes", .gauge, "Approximate size of the stored receipts.") { service.receiptCounts.bytes }
        observe("relist_refused_receipts_total", .counter, "Actions rejected because stored receipts took too many bytes.") {
            service.receiptCounts.refused
        }
    }

    private func observeViews(of service: ScreenService, _ encoder: ContentEncoder) {
        observe("relist_cached_views", .gauge, "Cached views.") { service.usage.views }
        observe("relist_cached_view_bytes", .gauge, "Approximate size of the cached views.") { service.usage.viewBytes }
        observe("relist_encoded_bytes", .gauge, "Approximate size of all compressed forms.") { encoder.bytes }
    }

    private func observeHistory(of history: History, _ service: ScreenService) {
        observe("relist_history_versions", .gauge, "Versions of the history in memory.") { service.usage.versions }
        observe("relist_history_bytes", .gauge, "Approximate size of the history in memory.") { service.usage.versionBytes }
        observe("relist_history_unwritten", .gauge, "Records that are not yet written to the store.") { history.unwrittenCount }
        observe("relist_history_stored_versions", .gauge, "Versions in the store, when last counted.") { history.holdings.versions }
        observe("relist_history_stored_bytes", .gauge, "Approximate size of the versions in the store, when last counted.") {
            history.holdings.bytes
        }
        observe("relist_history_hits_total", .counter, "Presented versions that were found.", by: "place") {
            ["memory": history.counts.memoryHits, "store": history.counts.storeHits]
        }
        observe("relist_history_misses_total", .counter, "Presented versions that were not found.") { history.counts.misses }
        observe("relist_history_lookups_total", .counter, "Lookups of versions in the store.") { history.counts.lookups }
        observe(
            "relist_history_refused_lookups_total", .counter, "Versions that were not looked up because too many lookups were pending."
        ) { history.counts.refusedLookups }
        observe("relist_history_damaged_total", .counter, "Damaged records of versions.") { history.counts.damaged }
        observe("relist_history_dropped_total", .counter, "Versions that were discarded before they were written.") {
            history.counts.dropped
        }
        observe("relist_history_crowded_out_total", .counter, "Versions in use that were evicted because the store was full.") {
            history.counts.removedEarly
        }
    }

    private func observeFollowers(of service: ScreenService) {
        observe("relist_followed_views", .gauge, "Views that are followed by streams or waiting requests.") { service.followedViewCount }
        observe("relist_followed_view_bytes", .gauge, "Approximate size of the followed views.") { service.followedViewBytes }
        observe("relist_followers", .gauge, "Streams and waiting requests.") { service.followerCount }
        describe("relist_follower_lag_seconds", .histogram, "Times from the announcement of a change until the last follower was shown it.")
        guard service.replication != nil else { return }
        observe("relist_heartbeat_age_seconds", .gauge, "Time since the commits of all replicas were last known to be received.") {
            [service.replication.map { Sample(value: $0.heartbeatAge / .seconds(1)) }].compactMap(\.self)
        }
        observe("relist_position", .gauge, "Number of the last received commit.") {
            [service.replication.map { Sample(value: Double($0.position.number)) }].compactMap(\.self)
        }
    }

    private func observeStore(of service: ScreenService) {
        observe("relist_transactions_total", .counter, "Completed transactions of the store.", by: "kind") {
            let counts = service.storeCounts
            return ["read": counts.reads, "write": counts.writes]
        }
        describe("relist_commit_duration_seconds", .histogram, "Durations of commits that wait until they are durable.")
        observe("relist_retried_writes_total", .counter, "Writes that were repeated after a conflict.") { service.storeCounts.retries }
        observe("relist_writes_in_doubt_total", .counter, "Writes of which it is not known whether they were committed.") {
            service.storeCounts.inDoubt
        }
        observe("relist_waiting_reads", .gauge, "Reads that are waiting for a connection to the database.", by: "screen") {
            Self.complete(service.storeCounts.waitingReads, service.catalog.names)
        }
        observe("relist_waiting_writes", .gauge, "Writes that are waiting for a connection to the database.") {
            service.storeCounts.waitingWrites
        }
        observe("relist_busy_connections", .gauge, "Connections to the database that run a transaction.", by: "kind") {
            service.storeCounts.busyConnections
        }
    }

    private func observe(_ server: HTTPServer.Metrics) {
        observe("relist_streams", .gauge, "Open event streams.") { server.openStreams }
        observe("relist_body_bytes", .gauge, "Size of the request bodies in memory.") { server.current.bodyBytes }
        observe("relist_refused_bodies_total", .counter, "Requests rejected because bodies took too much memory.") {
            server.current.rejectedBodies
        }
        observe("relist_event_loop_busy_seconds_total", .counter, "Processor time of the event loops.", by: "loop") {
            Dictionary(uniqueKeysWithValues: server.loopSeconds.enumerated().map { ("\($0)", $1) })
        }
    }
}
