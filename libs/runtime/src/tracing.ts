import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Otlp from './otlp.ts';
import type { Span, SpanAttributes, SpanKind } from './span.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

export interface Tracing {
  /** False while no collector is configured: callers may skip gathering attributes. */
  readonly enabled: boolean;
  /** Runs the work inside a span. Without a parent the span that runs now is taken, if there is one. */
  withSpan<T>(
    name: string,
    attributes: SpanAttributes,
    parent: string | undefined,
    work: (span: Span) => Promise<T>,
    kind?: SpanKind,
  ): Promise<T>;
  /** A stranger's traceparent with a decision of our own in it: only the share we chose of their traces is kept. */
  decide(parent: string | undefined): string | undefined;
  /** For work that begins in one callback and ends in another; the caller ends the span. */
  startSpan(name: string, attributes: SpanAttributes, parent?: string, kind?: SpanKind): Span;
  /** The traceparent of the span that runs now. */
  current(): string | undefined;
  /** Sends what is waiting. */
  close(): Promise<void>;
}

export interface TracingOptions {
  service: string;
  /** Base address of an OTLP/HTTP collector; tracing is off without one. */
  endpoint?: string | undefined;
  /** The share of new traces to keep, 0 to 1; what another service has decided is followed. */
  ratio?: number | undefined;
}

const silentSpan: Span = { traceparent: undefined, set: () => {}, fail: () => {}, end: () => {} };
// Every trace that is not kept shares one name: it tells the next hop the decision, and nobody records it.
const unsampledSpan: Span = { ...silentSpan, traceparent: `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-00` };

/** Costs nothing: no object is made and no context is entered. */
export const noTracing: Tracing = {
  enabled: false,
  withSpan: (_name, _attributes, _parent, work) => work(silentSpan),
  decide: () => undefined,
  startSpan: () => silentSpan,
  current: () => undefined,
  close: () => Promise.resolve(),
};

// One storage for the process, so that a library's span finds its parent whichever service opened it.
const running = new AsyncLocalStorage<Span>();

export function createTracing({ service, endpoint, ratio = 1 }: TracingOptions): Tracing {
  if (!endpoint) return noTracing;
  const exporter = openExporter(service, endpoint);

  const startSpan: Tracing['startSpan'] = (name, attributes, parent, kind = 'internal') => {
    const context = parseTraceparent(parent ?? running.getStore()?.traceparent);
    // The decision comes first: a trace that is not kept must not pay for its spans.
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

/** The traceparent of the span that runs now, whichever service of the process opened it. */
export const currentTraceparent = (): string | undefined => running.getStore()?.traceparent;

// The SDK costs memory and start-up time, which a process without a collector does not owe.
function openExporter(service: string, endpoint: string): Otlp.SpanExporter {
  const otlp = require('@postroom/runtime/otlp') as typeof Otlp;
  return otlp.openExporter(service, endpoint);
}
