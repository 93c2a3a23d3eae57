/** One bad request and its answer: what is asked, with what, the status and code, and the field that is named. */
export type Row = [call: string, body: unknown, answer: string, field?: string];

/** Rows that ask the same with other bodies. */
export const asked = (call: string, answer: string, rows: [body: unknown, field: string][]): Row[] =>
  rows.map(([body, field]) => [call, body, answer, field]);

export const INVALID = '400 VALIDATION_FAILED';
/** Where a request needs no body. */
export const NONE = undefined;
