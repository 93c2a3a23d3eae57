import type { CommandError } from '../protocol/errors.ts';

export type WriteError = Record<string, unknown> & { index: number };

export function writeErrorOf(index: number, error: CommandError): WriteError {
  return { index, code: error.code, ...error.extra, errmsg: error.message };
}

export function writeReply(result: Record<string, unknown>, errors: WriteError[]): Record<string, unknown> {
  return errors.length > 0 ? { ...result, writeErrors: errors } : result;
}
