import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Happening } from '../arriving/happenings.ts';
import { labelIdOf } from '../arriving/setting.ts';
import { findAll } from '../workload.ts';
import { createProcess } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import type { Address } from './mail-source.ts';
import type { Provider } from './provider.ts';
import { untilGone } from './told.ts';

const AGAIN_MS = 700;

/** People use a mailbox over the API while rules work on its mail. Each call is repeated until it is answered. */
export function openMailboxUsers(world: World, network: Network, { workspaceId }: Address, provider: Provider) {
  const process = createProcess(world, `users of ${workspaceId}`);
  const { clock } = process.context;
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const untilAnswered = (ask: () => Promise<unknown>) => untilGone(process, ask);
  /** False where the email never gets the label, or is gone. */
  const getsLabel = async (emailId: string, labelId: string): Promise<boolean> => {
    for (;;) {
      const email = await findEmail(world, emailId);
      if (!email || email.labelIds.includes(labelId)) return email !== undefined;
      if (email.classifiedAt || email.classification?.quarantinedAt) return false;
      await clock.sleep(AGAIN_MS);
    }
  };
  const play = async (happening: Happening, emailId: string): Promise<void> => {
    const labelId = labelIdOf(workspaceId, happening.label);
    await clock.sleep(happening.afterMs);
    world.trace.say(process.name, `"${happening.mail.subject}" ${happening.fate}`);
    const call = { workspaceId };
    switch (happening.fate) {
      case 'is read':
        await untilAnswered(() => mailboxWrite.updateEmail({ emailId, isRead: true, isStarred: undefined }, call));
        break;
      case 'is trashed':
        await untilAnswered(() => mailboxWrite.deleteEmail({ emailId }, call));
        break;
      case 'is given a label':
        await untilAnswered(() => mailboxWrite.applyLabel({ emailId, labelId }, call));
        break;
      case 'loses a label':
        if (!(await getsLabel(emailId, labelId))) break;
        await untilAnswered(() => mailboxWrite.removeLabel({ emailId, labelId }, call));
        happening.isTakenOff = true;
        break;
      default:
        provider.remove(happening.mail.uid ?? 0);
        while (await findEmail(world, emailId)) await clock.sleep(AGAIN_MS);
    }
    happening.isDone = true;
  };
  /** In a step of these people. */
  return (happening: Happening, emailId: string): void =>
    void world.after(0, process, () => void play(happening, emailId));
}

interface StoredEmail {
  _id: string;
  labelIds: string[];
  classifiedAt?: Date;
  classification?: { quarantinedAt?: Date };
}

async function findEmail(world: World, emailId: string): Promise<StoredEmail | undefined> {
  const shown = { labelIds: 1, classifiedAt: 1, classification: 1 } as const;
  return (await findAll<StoredEmail>(world, 'emails', shown)).find(({ _id }) => _id === emailId);
}
