import type { Attributes } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

/** Labels are few and come from closed lists (a route, a code). A label is never an id or a text of a user. */
type Labels = Attributes;

export interface Counter {
  add(amount: number, labels?: Labels): void;
}
export interface Histogram {
  record(value: number, labels?: Labels): void;
}
export interface MetricReading {
  value: number;
  labels?: Labels;
}
export interface Metrics {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, buckets?: readonly number[]): Histogram;
  /** Read when the page is made. */
  gauge(
    name: string,
    help: string,
    observe: () => number | readonly MetricReading[] | Promise<number | readonly MetricReading[]>,
  ): void;
  /** The Prometheus page. */
  page(): Promise<string>;
}

/** Seconds, from a cached answer to the deadline of a request. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export function createMetrics(service: string): Metrics {
  // The exporter is used as a reader only: the admin port serves its page.
  const reader = new PrometheusExporter({ preventServerStart: true });
  const resource = resourceFromAttributes({ service });
  const meter = new MeterProvider({ readers: [reader], resource }).getMeter('postroom');
  // The service's name is put on every line when the page is made, so that recording does not pay for it.
  const serializer = new PrometheusSerializer('', false, /^service$/, true, true);

  return {
    counter: (name, help) => {
      const counter = meter.createCounter(name, { description: help });
      return { add: (amount, labels) => counter.add(amount, labels) };
    },
    histogram: (name, help, buckets = SECONDS) => {
      const advice = { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { description: help, advice });
      return { record: (value, labels) => histogram.record(value, labels) };
    },
    gauge: (name, help, observe) => {
      meter.createObservableGauge(name, { description: help }).addCallback(async (result) => {
        const seen = await observe();
        const readings = typeof seen === 'number' ? [{ value: seen }] : seen;
        for (const { value, labels } of readings as readonly MetricReading[]) result.observe(value, labels);
      });
    },
    page: async () => serializer.serialize((await reader.collect()).resourceMetrics),
  };
}
