# Measures the service store on PostgreSQL, on the same cores. Benchmarks/run sources this file.

start_postgres() {
    # The user of PostgreSQL must be able to enter this folder, because the folder of PostgreSQL is inside it.
    chmod 711 "$work"
    postgres_port=$(python3 -c 'import socket; one = socket.socket(); one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
    mkfifo "$work/postgres.hold"
    ../Tests/Support/TemporaryPostgres/server "$work/postgres" -p "$postgres_port" -c listen_addresses=127.0.0.1 \
        <"$work/postgres.hold" >"$work/postgres.ready" &
    postgres=$!
    # PostgreSQL ends when its standard input closes.
    exec 8>"$work/postgres.hold"
    await grep -q ready "$work/postgres.ready"
    statement "CREATE DATABASE bench"
}

stop_postgres() {
    [[ -n ${postgres:-} ]] || return 0
    exec 8>&-
    wait "$postgres" || true
    postgres=
}

statement() { psql -h 127.0.0.1 -p "$postgres_port" -U relist -d postgres -XAtqc "$1"; }

# Prints the number of transactions in the database that have ended. Each connection reports its number once a second, so this waits first.
transactions() {
    sleep 1.5
    statement "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'bench'"
}

# compare_databases WHAT PATH TARGET [POST]: measures the peer, a server on SQLite and a server on PostgreSQL in turns.
compare_databases() {
    local what=$1 path=$2 target=$3 body_sqlite='' body_postgres=''
    if [[ -n ${4:-} ]]; then
        body_sqlite="{\"version\":\"$version_sqlite\"}"
        body_postgres="{\"version\":\"$version_postgres\"}"
    fi
    export POST_BODY=$body_sqlite
    fetch "$origin_sqlite$path"
    start_plain
    rm -f "$work"/rounds.*
    for _ in $(seq "$rounds"); do
        POST_BODY=$body_sqlite
        load "$plain" "$plain_origin$path" >>"$work/rounds.plain"
        load "$relist_sqlite" "$origin_sqlite$path" >>"$work/rounds.sqlite"
        POST_BODY=$body_postgres
        load "$relist" "$origin$path" >>"$work/rounds.postgres"
    done
    exec 9>&-
    wait "$plain"
    for peer in plain sqlite; do
        row "$what on PostgreSQL$([[ $peer == plain ]] || echo ", and on SQLite")" "$([[ $peer == plain ]] && echo "$target" || echo 0.95)" \
            $(for side in postgres $peer; do for field in 1 2; do cut -d' ' -f$field "$work/rounds.$side" | median; done; done)
    done
    answered=$((answered + $(awk -v seconds="$seconds" '{ sum += $1 * seconds } END { printf "%d", sum }' "$work/rounds.postgres")))
}

measure_cached_on_postgres() {
    local before begun answered=0 meanwhile idle_seconds=10
    fields=()
    start_relist databases.sqlite
    relist_sqlite=$relist origin_sqlite=$origin version_sqlite=$version
    start_relist "postgres://relist@127.0.0.1:$postgres_port/bench"
    version_postgres=$version
    for path in /screens/deliveries "/screens/settings?layout=merged"; do curl -sS --fail -o /dev/null "$origin$path"; done
    before=$(transactions) begun=$SECONDS
    compare_databases "GET of a cached snapshot" /screens/deliveries 0.9
    compare_databases "POST, cached changeset" "/screens/settings/changes?layout=merged" 0.8 post
    meanwhile=$(($(transactions) - before)) begun=$((SECONDS - begun))
    before=$(transactions)
    sleep "$idle_seconds"
    printf '%-62s%-50s%-11s\n' "  transactions at a table for $answered requests" \
        "$meanwhile in $begun s; $(($(transactions) - before)) in $idle_seconds s without any" ""
    kill "$relist" "$relist_sqlite"
    wait "$relist" "$relist_sqlite" || true
}

measure_postgres() {
    start_postgres
    measure_cached_on_postgres
    stop_postgres
    RELIST=$program PYTHONPATH=../Tests/Support/Python /usr/bin/python3 -B replicas
}
