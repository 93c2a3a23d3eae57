import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { findAll } from '../workload.ts';
import type { Chance } from '../world/chance.ts';
import { createProcess } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import type { Address, Mail } from './mail-source.ts';
import { PERSON } from './stoppers.ts';
import { untilGone } from './told.ts';

const FATES = ['stays', 'stays', 'is trashed', 'loses its label', 'is undone'] as const;

/** Somebody does this with an old email while a backfill works. */
export interface Fated {
  mail: Mail;
  fate: (typeof FATES)[number];
  afterMs: number;
  emailId?: string;
  isDone: boolean;
  /** The answer came to a label that was there. */
  isTakenOff: boolean;
}

const LATEST_MS = 20_000;
const AGAIN_MS = 400;
const GIVEN_UP_MS = 60_000;

export const drawFates = (chance: Chance, mails: readonly Mail[]): Fated[] =>
  mails.map((mail) => {
    const fate = chance.pick(FATES);
    return { mail, fate, afterMs: chance.below(LATEST_MS), isDone: fate === 'stays', isTakenOff: false };
  });

interface Labelled {
  _id: string;
  labelIds: string[];
  labelEffects?: { id: string; labelId: string }[];
}

/** Returns the call that begins what is to become of an email. */
export function openUndoers(world: World, network: Network, { workspaceId }: Address) {
  const process = createProcess(world, `users of ${workspaceId}`);
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const { clock } = process.context;
  const call = { workspaceId };

  /** The label that a rule has given, once it is there. Undefined where none comes. */
  const labelOf = async (emailId: string): Promise<Labelled | undefined> => {
    for (const until = clock.now() + GIVEN_UP_MS; clock.now() < until; await clock.sleep(AGAIN_MS)) {
      const shown = { labelIds: 1, labelEffects: 1 } as const;
      const [email] = (await findAll<Labelled>(world, 'emails', shown)).filter(({ _id }) => _id === emailId);
      if ((email?.labelIds.length ?? 0) > 0) return email;
    }
    return undefined;
  };
  const takeOff = async (emailId: string, isUndo: boolean): Promise<boolean> => {
    const email = await labelOf(emailId);
    const effect = email?.labelEffects?.at(-1);
    if (!effect) return false;
    const { id: effectId, labelId } = effect;
    await untilGone(process, () =>
      isUndo
        ? mailboxWrite.undoEffect({ actorId: PERSON, emailId, effectId }, call)
        : mailboxWrite.removeLabel({ emailId, labelId }, call),
    );
    return true;
  };
  const play = async (fated: Fated, emailId: string): Promise<void> => {
    await clock.sleep(fated.afterMs);
    world.trace.say(process.name, `"${fated.mail.subject}" ${fated.fate}`);
    if (fated.fate === 'is trashed') await untilGone(process, () => mailboxWrite.deleteEmail({ emailId }, call));
    else fated.isTakenOff = await takeOff(emailId, fated.fate === 'is undone');
    fated.isDone = true;
  };
  return (fated: Fated, emailId: string): void => {
    fated.emailId = emailId;
    if (!fated.isDone) world.after(0, process, () => void play(fated, emailId));
  };
}
