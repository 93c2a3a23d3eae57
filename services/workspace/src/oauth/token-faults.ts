/** The provider has taken the grant back: asking again cannot help. */
export class GrantGone extends Error {}

/** The endpoint is unavailable, busy, or refuses the client. The grant may be valid. */
export class EndpointFault extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
