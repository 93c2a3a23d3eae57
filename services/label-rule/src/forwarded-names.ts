import { ApiError } from '@postroom/errors/api-error';
import { foldCase } from '@postroom/mail-store/fold';
import type { Call } from '@postroom/rpc/call';
import type { Deps } from './deps.ts';

/**
 * An AI label of a name that an active auto-forward rule names makes emails leave. Who may not send can therefore
 * neither give such a name to a label nor take it from one. Manual labels forward nothing, and are treated alike: a
 * label that stands in the way of the AI label could otherwise be made by a key that cannot remove it again.
 */
export async function requireMaySendFor(
  names: readonly string[],
  { maySend }: { maySend: boolean },
  call: Call,
  { autoForwards }: Pick<Deps, 'autoForwards'>,
): Promise<void> {
  if (maySend || names.length === 0) return;
  const forwarded = new Set((await autoForwards.forwardedNames(call.workspaceId, call)).map(foldCase));
  if (names.some((name) => forwarded.has(foldCase(name)))) throw new ApiError('OUTBOUND_SEND_NOT_ALLOWED');
}

/** The names that a renaming takes away and gives. Other capitals are the same name to a rule. */
export function namesThatChange(current: string | undefined, next: string | undefined): string[] {
  if (next === undefined) return [];
  if (current !== undefined && foldCase(current) === foldCase(next)) return [];
  return current === undefined ? [next] : [current, next];
}
