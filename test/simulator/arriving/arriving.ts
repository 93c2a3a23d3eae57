import { storedName } from '@postroom/mail-store/stored-names';
import { openClassifier } from '../pods/classifier.ts';
import { openForwarder } from '../pods/forwarder.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods } from '../pods/pods.ts';
import { openMailSource } from '../peers/mail-source.ts';
import { scriptedModel } from '../peers/model.ts';
import { openSending } from '../peers/outbound-send.ts';
import { createBroker } from '../world/broker.ts';
import { currentProcess } from '../world/process.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import type { World } from '../world/world.ts';
import { type Outcome, promises, type StoredEmail } from './promises.ts';
import { addressOf, drawMails, storeSetting, WORKSPACES } from './setting.ts';
import { openWitness } from './witness.ts';

const SERVICES = { 'mailbox-write': openMailboxWrite, classifier: openClassifier, forwarder: openForwarder };
/** Faults strike for so long. It is shorter than the pauses of five attempts. */
const FAULTS_MS = 25_000;
/** Nothing may take longer than this behind the last fault. */
const LONGEST_MS = 600_000;
const EVERY_MS = 2_000;
/** The sweeps run at least once in it, so that a second effect shows. */
const QUIET_MS = 12_000;

const SHOWN = {
  workspaceId: 1,
  threadId: 1,
  subject: 1,
  labelIds: 1,
  owedSince: 1,
  classifiedAt: 1,
  classification: 1,
} as const;

/** Mail arrives in two workspaces, and is classified, answered and forwarded by rules. Returns what is left. */
export async function runArriving(world: World, count: number): Promise<Outcome> {
  const { database, faults } = world;
  await storeSetting(database);
  const witness = openWitness(world);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler, currentProcess);
  try {
    keepPods(world, SERVICES, { broker, network, modelOf: scriptedModel() });
    const sent = openSending(world, network);
    const emailIds = new Map<string, string>();
    let coming: number = WORKSPACES.length;
    const mails = WORKSPACES.flatMap((workspaceId, n) => {
      const some = drawMails(world.chance, workspaceId, Math.ceil(count / 2), n === 0 && faults.isOn('poison'));
      void openMailSource(world, network, addressOf(workspaceId), some, ({ messageId }, id) =>
        emailIds.set(messageId, id),
      ).then(() => (coming -= 1));
      return some;
    });
    const calmAt = world.now() + FAULTS_MS;
    world.after(FAULTS_MS, undefined, () => faults.end());
    const outcome = async (): Promise<Outcome> => ({
      mails,
      emailIds,
      emails: await findAll<StoredEmail>(world, 'emails', SHOWN),
      deadLetters: await findAll<{ topic: string; cause: string }>(world, 'deadLetters', { topic: 1, cause: 1 }),
      witness,
      sent,
      broker,
      calmAt,
    });
    await untilDone(world, calmAt, async () => coming === 0 && isWhole(await outcome()));
    return await outcome();
  } finally {
    realTimers();
  }
}

/** Polls, and goes on for a while after everything is done, so that what is done twice shows. */
async function untilDone(world: World, calmAt: number, isDone: () => Promise<boolean>): Promise<void> {
  let isOver = false;
  let doneAt: number | undefined;
  const poll = async (): Promise<void> => {
    doneAt = (await isDone()) ? (doneAt ?? world.now()) : undefined;
    const isQuiet = doneAt !== undefined && world.now() >= Math.max(calmAt, doneAt) + QUIET_MS;
    isOver = isQuiet || world.now() > calmAt + LONGEST_MS;
    world.after(EVERY_MS, undefined, poll);
  };
  world.after(EVERY_MS, undefined, poll);
  await world.runUntil(() => isOver);
}

const isWhole = (outcome: Outcome): boolean => Object.values(promises).every((holds) => holds(outcome).length === 0);

async function findAll<T>({ database }: World, collection: string, projection: Record<string, 1>): Promise<T[]> {
  const { cursor } = await database.run({ find: storedName(collection), filter: {}, projection, batchSize: 10_000 });
  return (cursor as { firstBatch: T[] }).firstBatch;
}
