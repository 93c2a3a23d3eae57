import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

/** Processor time and memory of the process, under the names that Prometheus dashboards expect. */
export function addProcessMetrics(metrics: Metrics): void {
  const loop = monitorEventLoopDelay({ resolution: 50 });
  loop.enable();
  const started = Date.now() / 1_000 - process.uptime();

  metrics.gauge('process_resident_memory_bytes', 'Memory held by the process.', () => process.memoryUsage.rss());
  metrics.gauge(
    'nodejs_heap_used_bytes',
    'Memory in use by the JavaScript heap.',
    () => process.memoryUsage().heapUsed,
  );
  metrics.gauge('process_start_time_seconds', 'When the process started.', () => started);
  metrics.gauge('process_cpu_seconds_total', 'Processor time spent.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge(
    'nodejs_eventloop_delay_p99_seconds',
    'How long the event loop stood still, since the last look.',
    () => {
      const seconds = loop.percentile(99) / 1e9;
      loop.reset();
      return seconds;
    },
  );
}
