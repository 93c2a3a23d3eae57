import { ApiError } from '@postroom/errors/api-error';
import { ConfigError } from '@postroom/runtime/config';
import { UsageError } from './option.ts';
import { printable } from './output.ts';
import { CommandRefusal } from './command-deps.ts';

const USAGE = 2;
const REFUSED = 1;

interface Fault {
  exitCode: number;
  line: string;
}

/** Any error as one line that says what to do. */
export function toFault(thrown: unknown): Fault {
  const { exitCode, line } = describe(thrown);
  return { exitCode, line: `postroom: ${printable(line)}` };
}

function describe(thrown: unknown): Fault {
  if (thrown instanceof UsageError) return { exitCode: USAGE, line: thrown.message };
  if (thrown instanceof CommandRefusal) return { exitCode: REFUSED, line: thrown.message };
  if (thrown instanceof ConfigError) return { exitCode: USAGE, line: thrown.faults.join('; ') };
  if (thrown instanceof ApiError) return describeApiError(thrown);
  return { exitCode: REFUSED, line: thrown instanceof Error ? thrown.message : String(thrown) };
}

function describeApiError(error: ApiError): Fault {
  if (error.code === 'VALIDATION_FAILED') return { exitCode: USAGE, line: fieldsOf(error) || error.message };
  if (error.code !== 'INTERNAL_ERROR') return { exitCode: REFUSED, line: error.message };
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return { exitCode: REFUSED, line: `the service failed or does not answer; see that it runs, and its log${cause}` };
}

function fieldsOf({ details = {} }: ApiError): string {
  return Object.entries(details)
    .map(([field, messages]) => `${field} ${Array.isArray(messages) ? messages.join(', ') : String(messages)}`)
    .join('; ');
}
