# Measures many event streams of one view. Benchmarks/run sources this file.
#
# SUBSCRIBERS_COUNT (10000) is the number of streams. IDLE_SECONDS (10) is the number of seconds for which 1,000 idle streams are measured.

resident() { awk '/VmRSS/ { print $2 }' "/proc/$1/status"; }
# metric NAME: prints the sum of the samples of a metric.
metric() { curl -sS "$origin/metrics" | awk -v name="relist_$1" '$1 == name || index($1, name "{") == 1 { sum += $2 } END { print sum }'; }

# follow COUNT [gzip]: opens COUNT streams, and returns when each stream has received its first event.
follow() {
    coproc SUBSCRIBERS { "$work/subscribers" "${origin##*:}" /screens/settings/changes "$@"; }
    pids+=("$SUBSCRIBERS_PID")
    local word
    read -r word <&"${SUBSCRIBERS[0]}"
    [[ $word == ready ]]
}

unfollow() {
    local pid=$SUBSCRIBERS_PID
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}

# commit NAME: commits once, and prints the milliseconds until the last stream has received the event.
commit() {
    local word
    echo >&"${SUBSCRIBERS[1]}"
    read -r word <&"${SUBSCRIBERS[0]}"
    curl -sS --fail -o /dev/null --json "{\"input\":{\"firstName\":\"$1\"}}" "$origin/screens/settings/actions/rename"
    read -r word <&"${SUBSCRIBERS[0]}"
    echo "$word"
}

# measure_subscribers [gzip]
measure_subscribers() {
    local count=${SUBSCRIBERS_COUNT:-10000} before after memory computations diffs
    memory=$(resident "$relist")
    follow "$count" "$@"
    memory=$((($(resident "$relist") - memory) * 1024 / count))
    computations=$(metric computations_total)
    diffs=$(metric diffs_total)
    rm -f "$work/commits"
    for round in $(seq "$rounds"); do
        before=$(ticks "$relist")
        milliseconds=$(commit "round $round")
        after=$(ticks "$relist")
        echo "$((after - before)) $milliseconds" >>"$work/commits"
    done
    computations=$(($(metric computations_total) - computations))
    diffs=$(($(metric diffs_total) - diffs))
    awk -v count="$count" -v hz="$(getconf CLK_TCK)" -v memory="$memory" -v rounds="$rounds" \
        -v computations="$computations" -v diffs="$diffs" -v coding="${1:+, in $1}" '
        { ticks += $1; milliseconds += $2 }
        END {
            cost = ticks / hz * 1e6 / NR / count
            printf "%-62s%-50s%-11s%s\n", "one commit to " count " subscribers of one view" coding,
                sprintf("%.1f us CPU each, %.0f ms until the last", cost, milliseconds / NR), "<= 15 us", cost <= 15 ? "holds" : "missed"
            printf "%-62s%-50s%-11s%s\n", "  renderings and diffs for each commit",
                sprintf("%.1f and %.1f", computations / rounds, diffs / rounds), "1 and 1", computations == rounds && diffs == rounds ? "holds" : "missed"
            printf "%-62s%-50s%-11s%s\n", "  memory of each above its socket", sprintf("%.1f KB", memory / 1024), "<= 11 KB", memory <= 11264 ? "holds" : "missed"
        }' "$work/commits"
    unfollow
}

measure_idle() {
    local idle=${IDLE_SECONDS:-10} before after
    follow 1000
    before=$(ticks "$relist")
    sleep "$idle"
    after=$(ticks "$relist")
    awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" -v seconds="$idle" 'BEGIN {
        share = ticks / hz / seconds * 100
        printf "%-62s%-50s%-11s%s\n", "1000 idle streams", sprintf("%.2f %% of a core", share), "< 2 %", share < 2 ? "holds" : "missed"
    }'
    unfollow
}
