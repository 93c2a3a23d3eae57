import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Otlp from './otlp.ts';
import type { Span, SpanAttributes, SpanKind } from './span.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

export interface Tracing {
  /** False while no collector is configured: callers may skip gathering attributes. */
  readonly enabled: boolean;
  /** Runs the work inside a span. Without a given parent, the current span is the parent, if there is one. */
  withSpan<T>(
    name: string,
    attributes: SpanAttributes,
    parent: string | undefined,
    work: (span: Span) => Promise<T>,
    kind?: SpanKind,
  ): Promise<T>;
  /** A caller's traceparent with our own sampling decision, so that callers cannot make us keep every trace. */
  decide(parent: string | undefined): string | undefined;
  /** For work that begins in one callback and ends in another; the caller ends the span. */
  startSpan(name: string, attributes: SpanAttributes, parent?: string, kind?: SpanKind): Span;
  /** The traceparent of the current span. */
  current(): string | undefined;
  /** Sends the spans that wait. */
  close(): Promise<void>;
}

interface TracingOptions {
  service: string;
  /** Base address of an OTLP/HTTP collector; tracing is off without one. */
  endpoint?: string | undefined;
  /** The share of new traces to keep, 0 to 1. The decision of another service is followed. */
  ratio?: number | undefined;
}

const silentSpan: Span = { traceparent: undefined, set: () => {}, fail: () => {}, end: () => {} };
// All traces that are not kept share one id: it tells the next hop the decision, and nobody records it.
const unsampledSpan: Span = { ...silentSpan, traceparent: `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-00` };

/** It makes no object and enters no context, so it costs nothing. */
export const noTracing: Tracing = {
  enabled: false,
  withSpan: (_name, _attributes, _parent, work) => work(silentSpan),
  decide: () => undefined,
  startSpan: () => silentSpan,
  current: () => undefined,
  close: () => Promise.resolve(),
};

// One storage for the process, so that the span of a library finds its parent in any service of the process.
const running = new AsyncLocalStorage<Span>();

export function createTracing({ service, endpoint, ratio = 1 }: TracingOptions): Tracing {
  if (!endpoint) return noTracing;
  const exporter = openExporter(service, endpoint);

  const startSpan: Tracing['startSpan'] = (name, attributes, parent, kind = 'internal') => {
    const context = parseTraceparent(parent ?? running.getStore()?.traceparent);
    // The decision comes first, so that a trace that is not kept costs nothing.
    const sampled = context ? context.sampled : Math.random() < ratio;
    if (!sampled) return unsampledSpan;
    return exporter.start(name, attributes, context, kind);
  };

  return {
    enabled: true,
    startSpan,
    decide: (parent) => {
      const context = parseTraceparent(parent);
      return context && formatTraceparent({ ...context, sampled: Math.random() < ratio });
    },
    current: currentTraceparent,
    close: () => exporter.close(),
    withSpan: async (name, attributes, parent, work, kind) => {
      const span = startSpan(name, attributes, parent, kind);
      try {
        return await running.run(span, () => work(span));
      } catch (error) {
        span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

/** The traceparent of the current span, in any service of the process. */
export const currentTraceparent = (): string | undefined => running.getStore()?.traceparent;

// The SDK costs memory and start-up time, so a process without a collector does not load it.
function openExporter(service: string, endpoint: string): Otlp.SpanExporter {
  const otlp = require('@postroom/runtime/otlp') as typeof Otlp;
  return otlp.openExporter(service, endpoint);
}
