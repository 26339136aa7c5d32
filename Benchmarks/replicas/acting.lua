-- Makes wrk rename the users whose tokens are in the file TOKENS. Each request has a new key. The threads of wrk use the PORTS in turns.
-- Prints the number of requests, the microseconds, the median and 99th percentile of latencies in microseconds, and the failures.
local threads = 0

function setup(thread)
    local ports = {}
    for port in os.getenv("PORTS"):gmatch("%d+") do ports[#ports + 1] = port end
    thread.addr = wrk.lookup("127.0.0.1", ports[threads % #ports + 1])[1]
    thread:set("id", threads)
    threads = threads + 1
end

function init()
    tokens, count = {}, 0
    for line in io.lines(os.getenv("TOKENS")) do tokens[#tokens + 1] = line end
end

function request()
    count = count + 1
    return wrk.format("POST", nil, {
        ["Host"] = "127.0.0.1",
        ["Content-Type"] = "application/json",
        ["Prefer"] = "return=minimal",
        ["Authorization"] = "Bearer " .. tokens[(count * 2 + id) % #tokens + 1],
        ["Idempotency-Key"] = string.format('"%s-%d-%d"', os.getenv("RUN"), id, count),
    }, string.format('{"input":{"firstName":"%d of %d"}}', count, id))
end

function done(summary, latency)
    io.write(string.format("done %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
        summary.errors.status + summary.errors.timeout + summary.errors.read))
end
