import { ROOT_CONTEXT, SpanKind as OtelKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { isPrivate, scrub } from './redaction.ts';
import type { Span, SpanAttributes, SpanKind } from './span.ts';
import { formatTraceparent } from './traceparent.ts';
import type { TraceContext } from './traceparent.ts';

export interface SpanExporter {
  start(name: string, attributes: SpanAttributes, parent: TraceContext | undefined, kind: SpanKind): Span;
  close(): Promise<void>;
}

const kinds = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
} as const satisfies Record<SpanKind, OtelKind>;

/** The OpenTelemetry SDK behind one function; a process that does not trace never loads this file. */
export function openExporter(service: string, endpoint: string): SpanExporter {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces`,
    timeoutMillis: 5_000,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    // The caller of start has decided already that this trace is kept.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('postroom');

  return {
    start: (name, attributes, parent, kind) => {
      const context = parent ? remoteParent(parent) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes: publicOnly(attributes), kind: kinds[kind] }, context);
      return {
        traceparent: formatTraceparent({ ...span.spanContext(), sampled: true }),
        set: (key, value) => {
          span.setAttributes(publicOnly({ [key]: value }));
        },
        // The text of an error may quote what a user wrote, so a span names only its kind and code.
        fail: (error) => {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', kindOf(error));
        },
        end: () => span.end(),
      };
    },
    close: () => provider.shutdown(),
  };
}

function remoteParent({ traceId, spanId }: TraceContext) {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

function publicOnly(attributes: SpanAttributes): SpanAttributes {
  const kept = Object.entries(attributes).filter(([name]) => !isPrivate(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'string' ? scrub(value) : value]));
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name;
}
