import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { describeError, isPrivate, redact, REDACTED, scrub } from './redaction.ts';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** One JSON line per event. Whatever a caller of this logs by mistake, private fields do not come out. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => redact(fields) as Record<string, unknown> },
      serializers: { err: describeError, error: describeError },
      hooks: { logMethod: scrubMessage },
    },
    // Writing asynchronously keeps a slow reader of the log from stalling requests; pino flushes it on exit.
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

export const silentLog: Log = pino({ level: 'silent' });
