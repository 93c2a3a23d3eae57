import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import { type Address, INBOX_ID, UID_VALIDITY } from './mail-source.ts';

const EPOCH = 1;
const EVERY_MS = { least: 1_000, most: 3_000 };
/** So many passes remove what is gone; one more comes at times. */
const PASSES_OF_REMOVAL = 4;
const IDLE_EVERY_MS = 30_000;

export interface Provider {
  remove(uid: number): void;
}

/** Stands for mailbox-sync behind a provider that removes messages: passes one after the other, each behind a failure anew. */
export function openProvider(
  world: World,
  network: Network,
  { workspaceId, mailboxId }: Address,
  uids: readonly number[],
): Provider {
  const process = createProcess(world, `provider of ${workspaceId}`);
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const { clock } = process.context;
  const there = new Set(uids);
  let pass = 0;
  const runPass = async (): Promise<void> => {
    pass += 1;
    const call = { workspaceId };
    const at = clock.date().toISOString();
    const goneUids = uids.filter((uid) => !there.has(uid));
    const listed = [...there].map((uid) => ({ first: uid, last: uid }));
    const about = { mailboxId, folderId: INBOX_ID, uidValidity: UID_VALIDITY, states: [], pass, epoch: EPOCH };
    const listing = { isCompleteListing: true, uids: listed, isTakenIn: false };
    await mailboxWrite.applyProviderChanges({ ...about, ...listing, goneUids, at }, call);
    await mailboxWrite.finishPass({ mailboxId, pass, epoch: EPOCH }, call);
  };
  let left = 0;
  let idleUntil = clock.now();
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(world.chance.between(EVERY_MS.least, EVERY_MS.most));
      if (left <= 0 && clock.now() < idleUntil) continue;
      idleUntil = clock.now() + IDLE_EVERY_MS;
      await runPass().then(
        () => (left -= 1),
        () => undefined,
      );
    }
  };
  if (uids.length > 0) within(process, () => void run());
  return {
    remove: (uid) => {
      there.delete(uid);
      left = PASSES_OF_REMOVAL;
    },
  };
}
