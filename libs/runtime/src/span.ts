export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  /** The header for the next hop; undefined while nobody records. */
  readonly traceparent: string | undefined;
  set(name: string, value: string | number | boolean): void;
  fail(error: unknown): void;
  end(): void;
}
