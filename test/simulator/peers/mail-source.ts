import { IncomingMessage, MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

export interface Mail {
  subject: string;
  messageId: string;
  /** The email that it answers. */
  inReplyTo?: string;
  from?: string;
  /** Of a message that comes from several sources. Otherwise it is the Message-ID. */
  sourceKey?: string;
  /** In the inbox of a provider. Other mail has no provider. */
  uid?: number;
  /** It was in the mailbox before its rules. */
  isHistory?: boolean;
}

/** The size of the largest batch, and the pause before each. */
interface Pace {
  mostAtOnce: number;
  longestPauseMs: number;
}

export interface Address {
  workspaceId: string;
  mailboxId: string;
}

export const INBOX_ID = 'fld_INBOX';
export const UID_VALIDITY = 1;
const AGAIN_MS = 1_000;
const USUAL_PACE: Pace = { mostAtOnce: 4, longestPauseMs: 5_000 };
const SHARE_AT_ONCE = 0.5;
/** All mails have the same date, so that no mail tells which one of its thread came first. */
const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';

/**
 * Stands for mailbox-sync: brings the mails of one mailbox, and brings a batch again until it is answered. Often a batch
 * comes while the one before is under way, as behind a process that stood still. Tells each email id that it got.
 */
export function openMailSource(
  world: World,
  network: Network,
  { workspaceId, mailboxId }: Address,
  mails: readonly Mail[],
  onStored: (mail: Mail, emailId: string) => void,
  { mostAtOnce, longestPauseMs } = USUAL_PACE,
): Promise<void> {
  const process = createProcess(world, `mail of ${workspaceId}`);
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const { clock } = process.context;
  const bring = async (batch: readonly Mail[]): Promise<void> => {
    for (let isRepeat = false; ; isRepeat = true) {
      try {
        const messages = batch.map(toIncoming);
        const { outcomes } = await mailboxWrite.ingest({ mailboxId, messages, isRepeat }, { workspaceId });
        for (const [n, { emailId }] of outcomes.entries()) if (emailId) onStored(batch[n] as Mail, emailId);
        return;
      } catch {
        await clock.sleep(AGAIN_MS);
      }
    }
  };
  return within(process, async () => {
    const under: Promise<void>[] = [];
    for (let n = 0; n < mails.length;) {
      const batch = mails.slice(n, n + world.chance.between(1, mostAtOnce));
      n += batch.length;
      await clock.sleep(world.chance.below(longestPauseMs));
      const isBrought = bring(batch);
      under.push(isBrought);
      if (!world.chance.happens(SHARE_AT_ONCE)) await isBrought;
    }
    await Promise.all(under);
  });
}

export function toIncoming({
  subject,
  messageId,
  inReplyTo,
  from = 'ann@sender.example',
  sourceKey = messageId,
  uid,
  isHistory = false,
}: Mail): IncomingMessage {
  const lines = [
    `From: Ann <${from}>`,
    'To: Bob <bob@example.com>',
    `Subject: ${subject}`,
    `Date: ${DATE}`,
    `Message-ID: <${messageId}>`,
    ...(inReplyTo ? [`In-Reply-To: <${inReplyTo}>`] : []),
    '',
    `About ${subject}.`,
    '',
  ];
  const raw = Buffer.from(lines.join('\r\n'));
  if (uid === undefined) return IncomingMessage.create({ sourceKey, raw, folderType: 'INBOX', isHistory });
  return IncomingMessage.create({ sourceKey, raw, location: { folderId: INBOX_ID, uidValidity: UID_VALIDITY, uid } });
}
