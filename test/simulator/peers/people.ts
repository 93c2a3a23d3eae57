import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { labelIdOf } from '../arriving/setting.ts';
import { findAll } from '../workload.ts';
import { createProcess, type Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import type { FolderPath, ImapFolder, Message } from './imap-folder.ts';
import type { ImapMailbox } from './imap.ts';
import type { Address } from './mail-source.ts';

const FATES = [
  'stays',
  'is moved',
  'is copied',
  'is copied and removed',
  'is copied away and back',
  'is read',
  'is removed',
  'is starred here',
  'is trashed here',
  'is moved and trashed here',
  'is copied, removed and starred here',
  'is copied, removed and labeled here',
] as const;
type Fate = (typeof FATES)[number];

/** A message at a provider, and what people do with it in another client and over the API. */
export interface Happening {
  name: string;
  fate: Fate;
  /** It was there before the mailbox was connected. */
  isOld: boolean;
  /** The folder that it comes to. */
  path: FolderPath;
  isDone: boolean;
}

const LONGEST_UNTIL_MS = 22_000;
const BETWEEN_STEPS_MS = 4_000;
const AGAIN_MS = 1_000;
const MOST_CHANGES = 20;
const BETWEEN_CHANGES_MS = 400;
/** It is given over the API. */
const LABEL = 'Prices';
const OLD = new Date('2024-01-01T00:00:00Z');

export function drawHappenings({ chance }: World, { workspaceId }: Address, count: number): Happening[] {
  return Array.from({ length: count }, (_, n) => {
    const fate = chance.pick(FATES);
    return { name: `${n} of ${workspaceId} ${fate}`, fate, isOld: chance.happens(0.3), path: 'INBOX', isDone: false };
  });
}

/** Old mail, with which nothing happens. */
export const oldMail = ({ workspaceId }: Address, path: FolderPath): Happening => ({
  name: `${path} of ${workspaceId} stays`,
  fate: 'stays',
  isOld: true,
  path,
  isDone: false,
});

/** Brings each message, and does with it what is to happen to it. */
export function openPeople(
  world: World,
  network: Network,
  { workspaceId, mailbox }: Address & { mailbox: ImapMailbox },
  happenings: readonly Happening[],
): void {
  const client = createProcess(world, `client of ${workspaceId}`);
  const caller = createProcess(world, `callers of ${workspaceId}`);
  const here = openCaller(world, network, caller, workspaceId);
  for (const happening of happenings) {
    const bring = () => {
      world.trace.say(client.name, `brings ${happening.name}`);
      mailbox.folders[happening.path].put(messageOf(happening));
    };
    const play = async (): Promise<void> => {
      if (!happening.isOld) {
        await client.context.clock.sleep(world.chance.below(LONGEST_UNTIL_MS));
        bring();
      }
      await client.context.clock.sleep(world.chance.below(LONGEST_UNTIL_MS));
      await Promise.all([elsewhere(client, mailbox, happening), here(happening)]);
      happening.isDone = true;
    };
    if (happening.isOld) bring();
    world.after(0, client, () => void play());
  }
}

function messageOf({ name, isOld }: Happening): Message {
  const lines = [
    'From: Ann <ann@sender.example>',
    'To: Bob <bob@example.com>',
    `Subject: ${name}`,
    'Date: Thu, 01 Jan 2026 00:00:00 GMT',
    `Message-ID: <${name.replaceAll(' ', '.')}@sender.example>`,
    '',
    `About ${name}.`,
    '',
  ];
  const internalDate = isOld ? OLD : new Date('2026-01-01T00:00:00Z');
  return { name, raw: Buffer.from(lines.join('\r\n')), internalDate, isRead: false, isStarred: false };
}

/** In another client, which knows nothing of us. */
async function elsewhere(
  { context, world, name: who }: Process,
  { folders, closed }: ImapMailbox,
  { name, fate }: Happening,
) {
  const from = folders.INBOX;
  const uidsIn = (folder: ImapFolder) => folder.messages().flatMap((one) => (one.name === name ? one.uid : []));
  const uids = () => uidsIn(from);
  const to = folders[world.chance.pick((['Archive', 'Trash'] as const).filter((path) => path !== closed?.path))];
  const isPlayed = uids().length > 0 && !['stays', 'is starred here', 'is trashed here'].includes(fate);
  if (!isPlayed) return;
  world.trace.say(who, `does that ${name}`);
  if (fate === 'is moved' || fate === 'is moved and trashed here') from.moveTo(to, uids());
  if (fate === 'is read') from.mark(uids(), { isRead: true });
  if (fate === 'is removed') from.expunge(uids());
  const moveByCopy = async (there: ImapFolder, back: ImapFolder) => {
    for (const message of there.messages().filter((one) => one.name === name)) back.put(message);
    if (fate === 'is copied') return;
    await context.clock.sleep(world.chance.below(BETWEEN_STEPS_MS));
    there.expunge(uidsIn(there));
  };
  if (!fate.startsWith('is copied')) return;
  await moveByCopy(from, to);
  if (fate !== 'is copied away and back') return;
  await context.clock.sleep(world.chance.below(LONGEST_UNTIL_MS));
  await moveByCopy(to, from);
}

const byReceivedAt = (one: { receivedAt: Date }, other: { receivedAt: Date }) =>
  one.receivedAt.getTime() - other.receivedAt.getTime();

/** Over the API, where a message may have copies. A call is repeated until it is answered. */
function openCaller(world: World, network: Network, caller: Process, workspaceId: string) {
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, caller);
  const { clock } = caller.context;
  const emailIdOf = async (name: string): Promise<string | undefined> => {
    const shown = { subject: 1, receivedAt: 1 } as const;
    const emails = await findAll<{ _id: string; subject: string; receivedAt: Date }>(world, 'emails', shown);
    const [first] = emails.filter(({ subject }) => subject === name).toSorted(byReceivedAt);
    return first?._id;
  };
  const star = (isStarred: boolean) => (emailId: string) =>
    mailboxWrite.updateEmail({ emailId, isStarred, isRead: undefined }, { workspaceId });
  const label = (emailId: string) =>
    mailboxWrite.applyLabel({ emailId, labelId: labelIdOf(workspaceId, LABEL) }, { workspaceId });
  const trash = (emailId: string) => mailboxWrite.deleteEmail({ emailId }, { workspaceId });
  const untilAnswered = async (name: string, ask: (emailId: string) => Promise<unknown>): Promise<void> => {
    for (;;) {
      const emailId = await emailIdOf(name);
      const isAnswered =
        emailId !== undefined &&
        (await ask(emailId).then(
          () => true,
          () => false,
        ));
      if (isAnswered) return;
      await clock.sleep(AGAIN_MS);
    }
  };
  const play = async ({ name, fate }: Happening): Promise<void> => {
    if (fate.endsWith('trashed here')) return untilAnswered(name, trash);
    if (fate.endsWith('labeled here')) return untilAnswered(name, label);
    // Some of the changes come between two writes of a move.
    for (let left = fate === 'is copied, removed and starred here' ? MOST_CHANGES : 0; left > 0; left -= 1) {
      await untilAnswered(name, star(left % 2 === 1));
      await clock.sleep(world.chance.below(BETWEEN_CHANGES_MS));
    }
    return untilAnswered(name, star(true));
  };
  /** In a step of the caller. */
  return (happening: Happening): Promise<void> =>
    happening.fate.endsWith(' here')
      ? new Promise((resolve) => world.after(0, caller, () => void play(happening).then(resolve)))
      : Promise.resolve();
}
