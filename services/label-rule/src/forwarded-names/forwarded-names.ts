import { ApiError } from '@postroom/errors/api-error';
import { foldCase } from '@postroom/mail-store/fold';
import type { Call } from '@postroom/rpc/call';
import type { AutoForwardStore } from '../auto-forward/auto-forward.ts';

/**
 * An AI label whose name an active auto-forward rule names makes emails leave. A key without the Send emails permission can
 * therefore neither give such a name to a label nor take it away. Manual labels forward nothing and have the same check:
 * otherwise such a key could occupy the name and not remove its label again.
 */
export async function requireMaySendFor(
  names: readonly string[],
  { maySend }: { maySend: boolean },
  call: Call,
  { autoForwards }: { autoForwards: Pick<AutoForwardStore, 'forwardedNames'> },
): Promise<void> {
  if (maySend || names.length === 0) return;
  const forwarded = new Set((await autoForwards.forwardedNames(call.workspaceId, call)).map(foldCase));
  if (names.some((name) => forwarded.has(foldCase(name)))) throw new ApiError('OUTBOUND_SEND_NOT_ALLOWED');
}

/** The names that a change removes and adds. Names that differ in case alone are equal to a rule. */
export function namesThatChange(current: string | undefined, next: string | undefined): string[] {
  if (next === undefined) return [];
  if (current !== undefined && foldCase(current) === foldCase(next)) return [];
  return current === undefined ? [next] : [current, next];
}
