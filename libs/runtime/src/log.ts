import { pino } from 'pino';
import type { Bindings, DestinationStream, Logger } from 'pino';
import { redact, scrub } from './redaction.ts';

export type Log = Logger;

/** One JSON line per event. Private fields are removed even when a caller logs them by mistake. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const log = pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      // Without this pino would serialise errors a second time, in its own format.
      serializers: { err: (value: unknown) => value },
      hooks: {
        logMethod(args, method) {
          method.apply(this, scrubArguments(args) as typeof args);
        },
      },
    },
    destination ?? standardOutput(),
  );
  // The fields of a child logger pass none of pino's hooks, so they are redacted here.
  const child = Reflect.get(log, 'child') as unknown as Child;
  const redacting: Child = function (this, fields) {
    return child.call(this, redact(fields) as Bindings);
  };
  return Object.assign(log, { child: redacting });
}

// Asynchronous writing keeps a slow reader of the log from stalling requests. The minimum length of one byte does not
// change when lines are written, but without it a flush does not wait for them.
function standardOutput(): DestinationStream & { flush(done: () => void): void } {
  const out = pino.destination({ dest: 1, sync: false, minLength: 1 });
  // If pino finds `flushSync`, a fatal line overtakes the line that is being written, and the last line is not last.
  return { write: (line) => void out.write(line), flush: (done) => out.flush(done) };
}

type Child = (this: Log, fields: Bindings) => Log;

/** Redacts the message of a line, which pino may take from an error. The fields are redacted when the line is written. */
function scrubArguments([first, ...rest]: readonly unknown[]): unknown[] {
  if (typeof first === 'string') return [scrub(first), ...rest.map((value) => redact(value))];
  const fields = first instanceof Error ? { err: first } : first;
  const error = (fields as { err?: unknown } | undefined)?.err;
  const message = rest.length === 0 && error instanceof Error ? [error.message] : rest;
  return [fields, ...message.map((value) => redact(value))];
}

const LAST_LINES_MS = 2_000;

/** Exits once the last lines are written in their order, or soon after when nobody reads them. */
export function leave(log: Log, code: number): void {
  log.flush(() => process.exit(code));
  setTimeout(() => process.exit(code), LAST_LINES_MS);
}

export const silentLog: Log = pino({ level: 'silent' });
