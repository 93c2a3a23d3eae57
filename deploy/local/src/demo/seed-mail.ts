import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import { createInFlight } from '@postroom/runtime/in-flight';
import { demoMail, type DemoMessage, type DemoOptions } from './demo-mail.ts';
import type { DemoTopic } from './template.ts';

export type IdsByTopic = Map<DemoTopic, string[]>;

interface MailOptions {
  workspaceId: string;
  mailboxes: readonly { id: string }[];
  options: DemoOptions;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  onProgress: (done: number, all: number) => void;
}

const BATCH = 100;
const AT_ONCE = 4;
/** No caller waits for the demo: a machine that is slow just now must not end the first start. */
const PATIENCE_MS = 120_000;

/** Hands the demo mail to ingest in batches, and returns the ids of the emails by topic. */
export async function seedMail({
  workspaceId,
  mailboxes,
  options,
  mailboxWrite,
  onProgress,
}: MailOptions): Promise<IdsByTopic> {
  const inFlight = createInFlight(AT_ONCE);
  const idsByTopic: IdsByTopic = new Map();
  let done = 0;

  const send = async (mailboxId: string, batch: DemoMessage[]) => {
    const messages = batch.map((message) => ({ ...message, providerLabels: [] }));
    const { outcomes } = await mailboxWrite.ingest(
      { mailboxId, messages },
      { workspaceId, deadline: Date.now() + PATIENCE_MS },
    );
    for (const [position, { emailId }] of outcomes.entries()) {
      const message = batch[position];
      if (emailId && message?.folderType === 'INBOX') push(idsByTopic, message.topic, emailId);
    }
    done += batch.length;
    onProgress(done, options.count);
  };

  const waiting: DemoMessage[][] = mailboxes.map(() => []);
  const flush = (mailbox: number) => {
    const batch = waiting[mailbox]?.splice(0) ?? [];
    const id = mailboxes[mailbox]?.id ?? '';
    return batch.length === 0 ? Promise.resolve() : inFlight.add(() => send(id, batch));
  };
  for await (const message of demoMail(options)) {
    const batch = waiting[message.mailbox];
    if (batch && batch.push(message) >= BATCH) await flush(message.mailbox);
  }
  for (const mailbox of waiting.keys()) await flush(mailbox);
  await inFlight.drain();
  return idsByTopic;
}

function push(map: IdsByTopic, topic: DemoTopic, id: string): void {
  const ids = map.get(topic);
  if (ids) ids.push(id);
  else map.set(topic, [id]);
}
