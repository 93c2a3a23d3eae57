/** The remaining limits of the workspace after a call. */
export interface Limits {
  minute: { limit: number; remaining: number; resetsAt: Date };
  month: { quota: number; remaining: number; resetsAt: Date };
}

/** On every answer to a key that is known; on no other. */
export function readLimits(headers: Headers): Limits | undefined {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  const moment = (name: string) => new Date(number(name) * 1_000);
  if (!headers.has('x-ratelimit-limit')) return undefined;
  return {
    minute: { limit: number('limit'), remaining: number('remaining'), resetsAt: moment('reset') },
    month: { quota: number('quota'), remaining: number('quota-remaining'), resetsAt: moment('quota-reset') },
  };
}
