import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import { rawMessage } from '../../support/message.ts';
import type { PipelineProcesses } from '../../support/pipeline-processes.ts';
import { createTestWorkspace } from '../../support/workspace.ts';
import type { Progress } from './progress.ts';

/** A quarter each: forwarded by its label, answered, answered by a prepared draft only, and left alone. */
const KINDS = ['Invoice', 'Question', 'Offer', 'Plain'] as const;
type Kind = (typeof KINDS)[number];

export const BOOKS = 'books@mail.test';
const MAILBOXES = 20;
const BATCH = 5;
const MOST_AHEAD = 400;
/** A single source would wait for its answer most of the time. */
const SOURCES = 4;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** A mailbox answers one correspondent at most four times an hour. */
export const correspondentOf = (n: number) => `p${Math.floor(n / (MAILBOXES * BATCH))}@mail.test`;

export function howManyOf(kind: Kind, emails: number): number {
  return Math.ceil((emails - KINDS.indexOf(kind)) / KINDS.length);
}

interface Home {
  workspaceId: string;
  mailboxes: Mailbox[];
}

/** Forwards what is labelled as an invoice, answers questions at once, and leaves answers to offers to a person. */
export async function prepareHome(pipeline: PipelineProcesses): Promise<Home> {
  const workspace = await createTestWorkspace(pipeline);
  const mailboxes = await Promise.all(Array.from({ length: MAILBOXES }, () => workspace.connectMailbox()));
  const rule = (condition: Kind, extra: object) =>
    workspace.send.post('/ai-label-rules', { name: condition, color: 'Pink', condition, ...extra });
  const made = [
    await rule('Invoice', {}),
    await rule('Question', { autoDraftEnabled: true, autoReplyEnabled: true, autoReplyDelayMinutes: 0 }),
    await rule('Offer', { autoDraftEnabled: true }),
    await workspace.send.post('/auto-forward-rules', { conditionValue: 'Invoice', forwardTo: BOOKS }),
  ];
  const refused = made.filter(({ status }) => status !== 201);
  if (refused.length > 0) throw new Error(`rules were refused: ${JSON.stringify(refused)}`);
  return { workspaceId: workspace.id, mailboxes };
}

/** Each source repeats a batch until it is accepted, as mail servers do, and stays a little ahead of classification. */
export async function feed(
  { mailboxWrite }: PipelineProcesses,
  { workspaceId, mailboxes }: Home,
  emails: number,
  progress: Pick<Progress, 'now' | 'isOver'>,
): Promise<void> {
  let next = 0;
  const source = async (): Promise<void> => {
    while (next < emails && !progress.isOver()) {
      const at = next;
      next += BATCH;
      while (at - (progress.now()?.classified ?? 0) > MOST_AHEAD && !progress.isOver()) await pause(200);
      const { id: mailboxId = '', email = '' } = mailboxes[(at / BATCH) % MAILBOXES] ?? {};
      const messages = Array.from({ length: Math.min(BATCH, emails - at) }, (_, k) => mailOf(at + k, email));
      for (let isTaken = false; !isTaken && !progress.isOver();) {
        isTaken = await mailboxWrite.ingest({ mailboxId, messages }, { workspaceId }).then(
          () => true,
          () => pause(200).then(() => false),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: SOURCES }, source));
}

const mailOf = (n: number, to: string) =>
  rawMessage({
    subject: `${KINDS[n % KINDS.length]} ${n} end`,
    messageId: `<${n}@near.example>`,
    from: correspondentOf(n),
    to,
  });
