import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { labelIdOf, LABELS, OWN_LABEL } from '../arriving/setting.ts';
import type { Chance } from '../world/chance.ts';
import { createProcess, type Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import type { Address, Mail } from './mail-source.ts';
import type { Provider } from './provider.ts';
import { untilGone } from './told.ts';

const DEEDS = [
  'flags',
  'flags of several',
  'a label',
  'no label',
  'a label for several',
  'no label for several',
  'the trash',
  'removed',
] as const;

/** People change one email again and again. */
export interface Changing {
  mail: Mail;
  deeds: readonly { deed: (typeof DEEDS)[number]; afterMs: number }[];
  /** Set when the last of them was answered. */
  isDone: boolean;
}

const MOST_DEEDS = 7;
const SHARE_AT_ONCE = 0.6;
const SOON_MS = 40;
const LATER_MS = 9_000;
/** Of a call about several emails. */
const MOST_EMAILS = 3;

/** One of them may be removed, and gets a UID for it: a provider without ids of messages takes two that vanish for one. */
export function drawChanging(chance: Chance, mails: readonly Mail[]): Changing[] {
  const removable = chance.below(mails.length);
  return mails.map((mail, n) => {
    const able = DEEDS.filter((deed) => deed !== 'removed' || n === removable);
    const deeds = Array.from({ length: chance.between(1, MOST_DEEDS) }, () => {
      const afterMs = chance.below(chance.happens(SHARE_AT_ONCE) ? SOON_MS : LATER_MS);
      return { deed: chance.pick(able), afterMs };
    });
    if (deeds.some(({ deed }) => deed === 'removed')) mail.uid = n + 1;
    return { mail, deeds, isDone: false };
  });
}

/** Returns the call that begins to change an email. Its changes come one after the other, and may overtake each other. */
export function openChangingUsers(world: World, network: Network, { workspaceId }: Address, provider: Provider) {
  const process = createProcess(world, `users of ${workspaceId}`);
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const { chance } = world;
  const emailIds: string[] = [];
  const call = { workspaceId };

  const ask = (deed: (typeof DEEDS)[number], emailId: string): (() => Promise<unknown>) => {
    const labelId = labelIdOf(workspaceId, chance.pick([...LABELS, OWN_LABEL]));
    const [isRead, isStarred] = [chance.happens(0.5), chance.happens(0.5)];
    const emails = [emailId, ...Array.from({ length: chance.below(MOST_EMAILS) }, () => chance.pick(emailIds))];
    // No call about several emails gives the label of a rule.
    const all = { emailIds: [...new Set(emails)], labelId: labelIdOf(workspaceId, OWN_LABEL) };
    switch (deed) {
      case 'flags':
        return () => mailboxWrite.updateEmail({ emailId, isRead, isStarred: isRead ? isStarred : undefined }, call);
      case 'flags of several':
        return () => mailboxWrite.bulkMarkRead({ emailIds: all.emailIds, isRead }, call);
      case 'a label':
        return () => mailboxWrite.applyLabel({ emailId, labelId }, call);
      case 'no label':
        return () => mailboxWrite.removeLabel({ emailId, labelId }, call);
      case 'a label for several':
        return () => mailboxWrite.bulkApplyLabel(all, call);
      case 'no label for several':
        return () => mailboxWrite.bulkRemoveLabel(all, call);
      default:
        return () => mailboxWrite.deleteEmail({ emailId }, call);
    }
  };
  const play = async (changing: Changing, emailId: string): Promise<void> => {
    const under: Promise<void>[] = [];
    for (const { deed, afterMs } of changing.deeds) {
      await process.context.clock.sleep(afterMs);
      world.trace.say(process.name, `"${changing.mail.subject}": ${deed}`);
      if (deed === 'removed') provider.remove(changing.mail.uid ?? 0);
      else under.push(untilGone(process, ask(deed, emailId)));
    }
    await Promise.all(under);
    changing.isDone = true;
  };
  return (changing: Changing, emailId: string): void => {
    emailIds.push(emailId);
    inStepOf(world, process, () => play(changing, emailId));
  };
}

const inStepOf = (world: World, process: Process, run: () => Promise<void>): void =>
  void world.after(0, process, () => void run());
