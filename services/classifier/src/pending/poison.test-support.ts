import { consumeEvents } from '@postroom/events/consume-events';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus } from '@postroom/events/memory-bus';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createAvailability } from '../model/availability.ts';
import type { Model } from '../model/model.ts';
import { conversationOf, createOnEmailReceived } from './on-email-received.ts';
import { pendingWorld } from './pending-world.test-support.ts';
import { pollPending } from './poll.ts';
import { createWorker } from './worker.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const USUAL_MS = 1_000;
const AT_ONCE = 128;

interface Fault {
  afterMs: number;
  isBusy?: boolean;
}

export const FAULTS: Record<string, Fault> = {
  'takes longer than 20 s': { afterMs: 20_000 },
  'answers 403': { afterMs: 50 },
  'answers 429': { afterMs: 50, isBusy: true },
  'answers 500': { afterMs: 50 },
  'cuts the connection': { afterMs: 500 },
  'answers 20 MB': { afterMs: 2_000 },
};

/** A model that cannot bear mail whose name says so, behind the availability that the real one has. */
export async function open(fault: Fault) {
  const clock = manualClock();
  const world = pendingWorld({ clock });
  const sound = world.model;
  const state = { isDown: false, isOverLimit: () => false, asked: 0, controls: 0 };
  const call = async (isPoison: boolean): Promise<void> => {
    const fails = isPoison || state.isOverLimit();
    await clock.sleep(fails ? fault.afterMs : USUAL_MS);
    if (fails || state.isDown) throw new Error('it fails');
  };
  const availability = createAvailability({
    clock,
    log: silentLog,
    askControl: () => ((state.controls += 1), call(false)),
    readFailure: () => ({ isBusy: fault.isBusy === true }),
  });
  const model: Model = {
    ...sound,
    availability,
    judge: async (question, signal) => {
      state.asked += 1;
      await availability.run(() => call(question.mail.text.startsWith('poison')), signal);
      return sound.judge(question, signal);
    },
  };
  world.model = model;
  const deps = world.deps();
  const worker = createWorker(deps, AT_ONCE);
  const bus = memoryBus({ clock, log: silentLog });
  await consumeEvents(
    bus,
    { lifecycle: { add: () => undefined }, clock },
    {
      group: 'classifier',
      type: 'email.received',
      deadLetters: memoryDeadLetters(),
      concurrency: AT_ONCE,
      orderBy: conversationOf,
      handle: createOnEmailReceived({ worker, model, rulesOf: deps.rulesOf }),
    },
  );
  const poll = pollPending({ pending: world.pending, worker, model, rulesOf: deps.rulesOf, clock, log: silentLog });
  const arrive = async (emailId: string, workspaceId: string): Promise<void> => {
    const { mailboxId, threadId = '' } = world.arrive(emailId, { workspaceId });
    const data = { emailId, mailboxId, threadId, folderType: 'INBOX' };
    const about = { id: emailId, type: 'email.received', workspaceId, occurredAt: clock.date() } as const;
    await bus.publish('email.received', [encodeEvent({ ...about, data })]);
  };
  const pass = passing(clock);
  const close = async (): Promise<void> => {
    const closed = poll.close();
    await pass(2 * MINUTE);
    await closed;
    await bus.close();
  };
  return { world, state, clock, arrive, pass, close };
}

/** Lets time go by, second by second. */
const passing = (clock: ManualClock) => async (ms: number) => {
  for (let gone = 0; gone < ms; gone += SECOND) await clock.advance(SECOND);
};

/** Ten workspaces get an email a second for two minutes, while poison lies there; gives back the p99 of their delays. */
async function neighbours(fault: Fault, poisons: number) {
  const { world, state, arrive, pass, close, clock } = await open(fault);
  const begun = clock.now();
  for (let n = 0; n < poisons; n += 1) await arrive(`poison_${n}`, 'wsp_attacked');
  const cameAt = new Map<string, number>();
  for (let second = 0; second < 120; second += 1) {
    const emailId = `good_${second}`;
    cameAt.set(emailId, clock.now());
    await arrive(emailId, `wsp_${second % 10}`);
    await pass(SECOND);
  }
  const delays = () =>
    world.classified.map(({ emailId, at }) => at - (cameAt.get(emailId) ?? 0)).toSorted((one, other) => one - other);
  const p99 = delays()[Math.floor(delays().length * 0.99)];
  const answered = delays().length;
  await pass(15 * MINUTE - (clock.now() - begun));
  const quarantined = world.quarantined();
  const { controls } = state;
  const waiting = world.waiting().length;
  await close();
  return { p99, answered, quarantined, controls, waiting };
}

let baseline: ReturnType<typeof neighbours> | undefined;

/** Describes the harm of the poison to others, and poison that is not quarantined. Empty when there is none. */
export async function harmOf(fault: Fault, poisons: number): Promise<string[]> {
  const without = await (baseline ??= neighbours({ afterMs: 0 }, 0));
  const beside = await neighbours(fault, poisons);
  const harm: string[] = [];
  if (beside.answered !== without.answered) harm.push(`${beside.answered} others done, not ${without.answered}`);
  const [slow, usual] = [beside.p99 ?? Infinity, without.p99 ?? 0];
  if (slow > 2 * usual) harm.push(`a p99 of ${slow} ms beside it, of ${usual} ms without`);
  // It could be any mail that a busy model does not answer: it waits, and has had no attempt.
  const [quarantined, waiting] = fault.isBusy ? [0, poisons] : [poisons, 0];
  if (beside.quarantined.length !== quarantined)
    harm.push(`${beside.quarantined.length} quarantined, not ${quarantined}`);
  if (beside.waiting !== waiting) harm.push(`${beside.waiting} wait, not ${waiting}`);
  for (const { _id, classification: { attempts, cause } = {} } of beside.quarantined) {
    if (attempts !== 5 || cause !== 'Error: it fails') harm.push(`${_id}: ${attempts} attempts, ${cause}`);
  }
  return harm;
}
