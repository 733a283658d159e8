/** @module What this process counts about itself, written as Prometheus reads it. */

const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Gauge {
  name: string;
  help: string;
  /** One value, or one for each label as `state="waiting"`. */
  read(): Reading | Promise<Reading>;
}

type Reading = number | Record<string, number>;

interface Durations {
  counts: number[];
  sum: number;
  total: number;
}

export interface Metrics {
  /** One answered request. `id` is an operation or raw route, never a path, so that the number of series is bounded. */
  request(id: string, status: number, seconds: number): void;
  /** A value read when the metrics are asked for. */
  gauge(name: string, help: string, read: Gauge["read"]): void;
  render(): Promise<string>;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Durations>();
  const gauges: Gauge[] = [
    {
      name: "process_resident_memory_bytes",
      help: "Memory this process holds.",
      read: () => process.memoryUsage.rss(),
    },
    {
      name: "process_cpu_seconds_total",
      help: "Processor time this process has used.",
      read: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      },
    },
    {
      name: "process_uptime_seconds",
      help: "Seconds since the process started.",
      read: () => process.uptime(),
    },
  ];

  function request(id: string, status: number, seconds: number): void {
    const series = `operation="${id}",status="${status}"`;
    requests.set(series, (requests.get(series) ?? 0) + 1);
    let held = durations.get(id);
    if (!held) {
      held = { counts: durationBounds.map(() => 0), sum: 0, total: 0 };
      durations.set(id, held);
    }
    const index = durationBounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) held.counts[index] = (held.counts[index] ?? 0) + 1;
    held.sum += seconds;
    held.total += 1;
  }

  async function render(): Promise<string> {
    const lines = [
      "# HELP fettle_http_requests_total Requests answered.",
      "# TYPE fettle_http_requests_total counter",
      ...[...requests].map(([series, count]) => `fettle_http_requests_total{${series}} ${count}`),
      "# HELP fettle_http_request_duration_seconds Time from the request's first byte to the answer's last.",
      "# TYPE fettle_http_request_duration_seconds histogram",
      ...[...durations].flatMap(([id, held]) => histogramLines(id, held)),
    ];
    for (const { name, help, read } of gauges) {
      const type = name.endsWith("_total") ? "counter" : "gauge";
      // A value that cannot be read now (the database is down) costs only itself: the others tell what is going on.
      const reading = await Promise.resolve(read()).catch(() => undefined);
      if (reading === undefined) continue;
      const values =
        typeof reading === "number"
          ? [`${name} ${reading}`]
          : Object.entries(reading).map(([label, value]) => `${name}{${label}} ${value}`);
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values);
    }
    return `${lines.join("\n")}\n`;
  }

  return { request, gauge: (name, help, read) => gauges.push({ name, help, read }), render };
}

function histogramLines(id: string, { counts, sum, total }: Durations): string[] {
  const name = "fettle_http_request_duration_seconds";
  let below = 0;
  const bucketLines = durationBounds.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket{operation="${id}",le="${bound}"} ${below}`;
  });
  return [
    ...bucketLines,
    `${name}_bucket{operation="${id}",le="+Inf"} ${total}`,
    `${name}_sum{operation="${id}"} ${sum}`,
    `${name}_count{operation="${id}"} ${total}`,
  ];
}
