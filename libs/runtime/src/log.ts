import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { redact, scrub } from './redaction.ts';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** One JSON line per event. Whatever a caller of this logs by mistake, private fields do not come out. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const log = pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        bindings: (fields) => redact(fields) as Record<string, unknown>,
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      // Without this pino would serialise errors a second time, and by its own taste.
      serializers: { err: (value: unknown) => value },
      hooks: {
        logMethod(args, method) {
          const scrubbed = args.map((arg: unknown) => (typeof arg === 'string' ? scrub(arg) : arg));
          method.apply(this, scrubbed as typeof args);
        },
      },
    },
    // Writing asynchronously keeps a slow reader of the log from stalling requests; pino flushes it on exit.
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
  return log;
}

export const silentLog: Log = pino({ level: 'silent' });
