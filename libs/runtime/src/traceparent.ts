/** The W3C trace context of a span, without its transport. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const FORM = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/** Reads a `traceparent` header; anything malformed reads as none, because a stranger sent it. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = header === undefined ? null : FORM.exec(header);
  if (!match) return undefined;
  const [, traceId = '', spanId = '', flags = '00'] = match;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId) || header?.startsWith('ff')) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
