import { hash } from 'node:crypto';
import type { DelivererDocument } from '@postroom/mail-store/documents/webhook';

/** After a change of shares the new owner waits so long, so that the attempts of the former one have mostly ended. */
const HANDOVER_MS = 1_000;

/**
 * The process that delivers for a workspace: of the live ones, the one with the highest hash of both names. So each process
 * computes the same, and one that comes or goes moves its own share alone.
 */
function ownerOf(workspaceId: string, live: readonly DelivererDocument[], now: number): string | undefined {
  const present = live.filter(({ activeFrom }) => activeFrom.getTime() <= now);
  const score = (id: string) => hash('sha1', `${id} ${workspaceId}`);
  return present.map(({ _id }) => ({ id: _id, score: score(_id) })).sort((a, b) => b.score.localeCompare(a.score))[0]
    ?.id;
}

/** Whether this process delivers for the workspace now, and has not only just begun to. */
export function isOwnedBy(id: string, workspaceId: string, live: readonly DelivererDocument[], now: number): boolean {
  const isAlone = live.every(({ _id }) => _id === id);
  return ownerOf(workspaceId, live, now) === id && (isAlone || ownerOf(workspaceId, live, now - HANDOVER_MS) === id);
}
