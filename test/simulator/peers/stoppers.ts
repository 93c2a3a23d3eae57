import { ApiError } from '@postroom/errors/api-error';
import { isPeersAnswer } from '@postroom/errors/grpc-status';
import { storedName } from '@postroom/mail-store/stored-names';
import type { Database } from '../world/database.ts';
import type { Process } from '../world/process.ts';

export const PERSON = 'psn_of_simulation';
const LONG_AGO = new Date('2025-01-01T00:00:00Z');
const AGAIN_MS = 1_000;
const LONGEST_UNTIL_MS = 4_000;
/** The message leaves, its draft has become the sent email, or there is none. */
const TOO_LATE = ['CONFLICT', 'DRAFT_NOT_FOUND', 'NOT_FOUND'];

/** A member of a workspace, who may stop its replies. */
export async function storePerson({ run }: Database, workspaceId: string): Promise<void> {
  const members = [{ personId: PERSON, role: 'owner', joinedAt: LONG_AGO }];
  await run({ insert: storedName('workspaceMembers'), documents: [{ _id: workspaceId, workspaceId, members }] });
}

/** `unknown`: it was too late for a second call, behind a first one whose answer never came and which may stop the message later. */
export type Stopped = 'stopped' | 'too late' | 'unknown';

/** Stops a reply or a forward, about when it leaves. Returns what the person was told. */
export async function stopMessage(
  { context: { clock }, world }: Process,
  stop: () => Promise<unknown>,
): Promise<Stopped> {
  await clock.sleep(world.chance.below(LONGEST_UNTIL_MS));
  for (let isFirst = true; ; isFirst = false) {
    try {
      await stop();
      return 'stopped';
    } catch (error) {
      const isTooLate = error instanceof ApiError && isPeersAnswer(error) && TOO_LATE.includes(error.code);
      if (isTooLate) return isFirst ? 'too late' : 'unknown';
      await clock.sleep(AGAIN_MS);
    }
  }
}
