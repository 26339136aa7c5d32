import Glibc

extension MetricsRegistry {
    /// Adds the metrics of the process, with the names that the client libraries of Prometheus use.
    ///
    /// - Parameter build: The labels of `relist_build_info`, such as the version.
    public func observeProcess(build: [(String, String)]) {
        let start = Int(time(nil))
        let labels = PrometheusText.labels(build)
        observe("relist_build_info", .gauge, "The build of the program. The value is 1.") { [Sample(labels: labels, value: 1)] }
        observe("process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.") { start }
        observe("process_cpu_seconds_total", .counter, "Processor time of the process.") { Self.processorSeconds }
        observe("process_resident_memory_bytes", .gauge, "Resident memory of the process.") { Self.residentBytes }
        observe("process_open_fds", .gauge, "Open file descriptors.") { Self.openDescriptors }
        observe("process_max_fds", .gauge, "Maximum number of open file descriptors.") { Self.maximumDescriptors }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var residentBytes: Int {
        // The second number of `statm` is the number of resident pages (proc_pid_statm(5)).
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var openDescriptors: Int {
        var folder = stat()
        // Since Linux 6.2, the size of the folder is the number of descriptors.
        if stat("/proc/self/fd", &folder) == 0, folder.st_size > 0 { return Int(folder.st_size) }
        guard let stream = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // The entries `.` and `..`, and the descriptor of the folder itself.
        return max(count - 3, 0)
    }

    private static var maximumDescriptors: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
