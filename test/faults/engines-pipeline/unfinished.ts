import { groupIdOf } from '@postroom/events/kafka-bus';
import { openKafka } from '@postroom/events/kafka-client';
import { lagOf } from '@postroom/events/kafka-topics';
import type { Topic } from '@postroom/events/topics';
import type { Collections } from '@postroom/mail-store/collections';
import { silentLog } from '@postroom/runtime/log';
import type { PipelineProcesses } from '../../support/pipeline-processes.ts';
import { OVER } from './audit.ts';

const SHOWN = 20;
const LEFT = { kind: 1, state: 1, attempts: 1, lastError: 1, draftId: 1, updatedAt: 1, nextAt: 1, epoch: 1 } as const;
const READERS = { 'email.received': 'classifier', 'email.classified': 'forwarder' } as const satisfies Partial<
  Record<Topic, string>
>;
const TOPICS = Object.keys(READERS) as (keyof typeof READERS)[];

/** The documents that wait, each with what it waits for, and what was given up: where to look when nothing moves. */
export async function unfinished(
  { collections, prefix }: Pick<PipelineProcesses, 'collections' | 'prefix'>,
  workspaceId: string,
  brokers: string,
): Promise<string> {
  const documents = await waitingDocuments(collections, workspaceId);
  const letters = await storedDeadLetters(collections);
  const lags = await readSoFar(brokers, prefix).catch((error: unknown) => [`lag not read: ${String(error)}`]);
  return ['unfinished:', ...documents, ...letters, ...lags].join('\n  ');
}

async function waitingDocuments({ emails, sends, autoForwardLogs }: Collections, workspaceId: string) {
  const inbox = { workspaceId, folderType: 'INBOX' } as const;
  const told = { subject: 1, awaitsClassificationSince: 1, owedSince: 1, isUnsettled: 1 } as const;
  const [waiting, pending, left, passedOn, made, asking] = await Promise.all([
    emails
      .find({ ...inbox, classifiedAt: { $exists: false } }, told)
      .limit(SHOWN)
      .lean(),
    emails
      .find({ workspaceId, owedSince: { $exists: true } }, told)
      .limit(SHOWN)
      .lean(),
    sends
      .find({ workspaceId, state: { $nin: OVER } }, LEFT)
      .limit(SHOWN)
      .lean(),
    autoForwardLogs.find({ workspaceId }, { emailId: 1 }).lean(),
    sends.find({ workspaceId, kind: { $in: ['reply', 'forward'] } }, { sourceEmailId: 1 }).lean(),
    emails.find(inbox, { subject: 1 }).lean(),
  ]);
  const [logged, sent] = [
    new Set(passedOn.map(({ emailId }) => emailId)),
    new Set(made.map(({ sourceEmailId }) => sourceEmailId)),
  ];
  const of = (kind: string, done: ReadonlySet<string | null>) =>
    asking.filter(({ _id, subject }) => subject.startsWith(kind) && !done.has(_id)).slice(0, SHOWN);
  const lines = { unclassified: waiting, pending, 'not sent': left, 'no send': of('Invoice', sent) };
  const more = { 'no line in the log': of('Invoice', logged), 'no answer': of('Question', sent) };
  return Object.entries({ ...lines, ...more }).flatMap(([what, found]) =>
    found.map((one) => `${what}: ${JSON.stringify(one)}`),
  );
}

async function storedDeadLetters({ deadLetters }: Collections): Promise<string[]> {
  const letters = await deadLetters
    .find({ topic: { $in: TOPICS } })
    .limit(SHOWN)
    .lean();
  return letters.map(({ topic, eventId, group, cause }) => `dead letter of ${topic}: ${eventId} ${group} ${cause}`);
}

/** Fewer events than emails: one was not published. Lag: somebody does not read. Neither: it was read, and went nowhere. */
async function readSoFar(brokers: string, prefix: string): Promise<string[]> {
  const admin = openKafka({ brokers: brokers.split(','), clientId: 'look' }, silentLog).admin();
  await admin.connect();
  try {
    const lines = TOPICS.map(async (topic) => {
      const groupId = groupIdOf(prefix, READERS[topic], topic);
      const partitions = await lagOf(admin, groupId, prefix + topic);
      const { groups } = await admin.describeGroups([groupId]);
      const events = partitions.reduce((sum, { high }) => sum + Number(high), 0);
      const lags = partitions.map(({ lag }) => lag).join(' ');
      const members = groups.map(({ state, members: { length } }) => `${state}, ${length} members`).join();
      return `${topic}: ${events} events, lag of ${READERS[topic]} by partition ${lags}, ${members}`;
    });
    return await Promise.all(lines);
  } finally {
    await admin.disconnect();
  }
}
