/** An answer that is no success, with what a person needs to act or to ask. */
export class AppFault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    readonly requestId: string | null,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(sentence);
  }
}

/** The sentences about one field of a form. */
export function fieldFault(error: unknown, field: string): string | undefined {
  if (!(error instanceof AppFault)) return undefined;
  const sentences = error.details[field];
  return Array.isArray(sentences) ? sentences.join(' ') : undefined;
}

/** Whether every sentence of the fault stands beside a field that the form shows. */
export function isShownBeside(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof AppFault) || error.code !== 'VALIDATION_FAILED') return false;
  const named = Object.keys(error.details);
  return named.length > 0 && named.every((name) => fields.includes(name));
}
