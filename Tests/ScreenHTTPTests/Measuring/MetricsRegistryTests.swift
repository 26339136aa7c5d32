import CoreMetrics
import Testing

@testable import ScreenHTTP

@Suite struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    private var lines: [String] { PrometheusText(of: registry).text.split(separator: "\n").map(String.init) }

    @Test func countersWithTheSameNameAndLabelsShareTheirNumber() {
        for _ in 0..<2 { Counter(label: "orders_total", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment(by: 3) }
        Counter(label: "orders_total", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment()
        FloatingPointCounter(label: "metres_total", factory: registry).increment(by: 1.5)
        #expect(
            lines == [
                "# TYPE metres_total counter", "metres_total 1.5", "# TYPE orders_total counter", #"orders_total{a="1",b="2"} 7"#,
            ])
    }

    @Test func gaugesShowTheirLastValue() {
        let (gauge, meter) = (Gauge(label: "heat", factory: registry), Meter(label: "level", factory: registry))
        for value in [1, 2] {
            gauge.record(value)
            meter.set(value)
        }
        meter.decrement(by: 0.5)
        #expect(lines == ["# TYPE heat gauge", "heat 2", "# TYPE level gauge", "level 1.5"])
    }

    @Test func aTimerIsShownAsACumulativeHistogramInSeconds() {
        let timer = CoreMetrics.Timer(label: "wait_seconds", dimensions: [("door", "left")], factory: registry)
        for milliseconds in [1, 2, 20_000] { timer.recordMilliseconds(milliseconds) }
        #expect(lines.first == "# TYPE wait_seconds histogram" && lines.count == 19)
        for line in [
            #"wait_seconds_bucket{door="left",le="0.0005"} 0"#, #"wait_seconds_bucket{door="left",le="0.001"} 1"#,
            #"wait_seconds_bucket{door="left",le="0.0025"} 2"#, #"wait_seconds_bucket{door="left",le="10"} 2"#,
            #"wait_seconds_bucket{door="left",le="+Inf"} 3"#, #"wait_seconds_sum{door="left"} 20.003"#,
            #"wait_seconds_count{door="left"} 3"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func aRecorderCountsNumbersInBucketsOfPowersOfFour() {
        let recorder = Recorder(label: "bytes", factory: registry)
        for value in [0.5, 4, 5, .infinity, .nan] { recorder.record(value) }
        #expect(lines.contains(#"bytes_bucket{le="1"} 1"#) && lines.contains(#"bytes_bucket{le="4"} 2"#))
        #expect(lines.contains(#"bytes_bucket{le="268435456"} 3"#) && lines.contains("bytes_sum 9.5") && lines.contains("bytes_count 3"))
    }

    /// The escapes are those of the text format: `\` and line ends in descriptions, and also `"` in labels.
    @Test func descriptionsAndLabelsAreEscaped() {
        registry.describe("odd_total", .counter, "A \"quoted\" \\ and\na line.")
        Counter(label: "odd_total", dimensions: [("text", "\"a\\b\"\nc é")], factory: registry).increment()
        #expect(
            lines == [
                #"# HELP odd_total A "quoted" \\ and\na line."#, "# TYPE odd_total counter", #"odd_total{text="\"a\\b\"\nc é"} 1"#,
            ])
    }

    @Test func labelSetsBeyondTheLimitCountAsOther() {
        let limit = MetricsRegistry.labelSetLimit
        for number in 0..<limit + 5 {
            Counter(label: "seen_total", dimensions: [("user", "\(number)")], factory: registry).increment()
        }
        Counter(label: "seen_total", dimensions: [("user", "0")], factory: registry).increment()
        Counter(label: "seen_total", dimensions: [("visitor", "0")], factory: registry).increment()
        #expect(lines.count == limit + 2)
        #expect(lines.contains(#"seen_total{user="other"} 5"#) && lines.contains(#"seen_total{user="0"} 2"#))
    }

    @Test func namesThatPrometheusDoesNotAllowAreChanged() {
        let dimensions = [("1st-way", "a"), ("1st.way", "b"), ("le", "c")]
        Counter(label: "2.orders:paid-total", dimensions: dimensions, factory: registry).increment()
        #expect(lines.last == #"_2_orders:paid_total{_1st_way="a",le_="c"} 1"#)
    }

    @Test func aMetricOfAnotherTypeWithTheSameNameIsNotShown() {
        registry.observe("taken_total", .counter, "Read.") { 1 }
        Counter(label: "orders_total", factory: registry).increment()
        Gauge(label: "orders_total", factory: registry).record(5)
        Gauge(label: "orders_total", dimensions: [("a", "b")], factory: registry).record(5)
        Counter(label: "taken_total", factory: registry).increment()
        #expect(
            lines == [
                "# TYPE orders_total counter", "orders_total 1", "# HELP taken_total Read.", "# TYPE taken_total counter", "taken_total 1",
            ])
    }

    @Test func numbersThatAreReadAreSentToAnotherBackend() {
        let other = MetricsRegistry()
        var forwarded = ForwardedMetrics(of: registry, to: other)
        registry.observe("read_total", .counter, "A", by: "kind") { ["a": 2] as [String: Int] }
        registry.observe("size", .gauge, "B") { 7 }
        Counter(label: "made_total", factory: registry).increment()
        for _ in 0..<2 { forwarded.send() }
        registry.observe("read_total", .counter, "A", by: "kind") { ["a": 5] as [String: Int] }
        forwarded.send()
        let text = PrometheusText(of: other).text
        #expect(text == "# TYPE read_total counter\nread_total{kind=\"a\"} 5\n# TYPE size gauge\nsize 7\n")
    }
}
