export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  /** What the next hop is told; undefined while nobody records. */
  readonly traceparent: string | undefined;
  set(name: string, value: string | number | boolean): void;
  fail(error: unknown): void;
  end(): void;
}
