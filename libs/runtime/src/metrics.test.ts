import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

describe('the metrics page', () => {
  it('shows counters, histograms and gauges in the form Prometheus reads', async () => {
    const metrics = createMetrics('gateway');
    metrics.counter('requests_total', 'Requests.').add(2, { route: 'GET /labels' });
    metrics.histogram('request_seconds', 'Durations.', [0.1, 1]).record(0.5, { route: 'GET /labels' });
    metrics.gauge('consumer_lag', 'Messages behind.', () => [{ value: 7, labels: { topic: 'email.received' } }]);
    metrics.gauge('up', 'Whether it is up.', () => Promise.resolve(1));
    const lines = (await metrics.page()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE requests_total counter',
        'requests_total{route="GET /labels",service="gateway"} 2',
        'request_seconds_bucket{route="GET /labels",service="gateway",le="0.1"} 0',
        'request_seconds_bucket{route="GET /labels",service="gateway",le="1"} 1',
        'request_seconds_count{route="GET /labels",service="gateway"} 1',
        'consumer_lag{topic="email.received",service="gateway"} 7',
        'up{service="gateway"} 1',
      ]),
    );
  });

  it('adds up what two parts count under one name', async () => {
    const metrics = createMetrics('x');
    metrics.counter('calls_total', 'Calls.').add(1);
    metrics.counter('calls_total', 'Calls.').add(2);
    metrics.histogram('seconds', 'Durations.', [1]).record(0.5);
    metrics.histogram('seconds', 'Durations.', [1]).record(0.5);
    const page = await metrics.page();
    expect(page).toContain('calls_total{service="x"} 3');
    expect(page).toContain('seconds_count{service="x"} 2');
    expect(page.match(/# TYPE calls_total/g)).toHaveLength(1);
  });

  it('shows the rest when one gauge cannot be read', async () => {
    const metrics = createMetrics('x');
    metrics.counter('calls_total', 'Calls.').add(1);
    metrics.gauge('lag', 'Lag.', () => Promise.reject(new Error('the broker is gone')));
    expect(await metrics.page()).toContain('calls_total{service="x"} 1');
  });
});
