import type { SendDocument } from '@postroom/mail-store/documents/send';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { createLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import type { Delivery } from '../smtp/delivery.ts';
import { memorySends } from './memory-sends.test-support.ts';
import { beginSend, runSend } from './run-send.ts';
import type { SendDeps, ShownState, SendStep } from './send-deps.ts';
import { SEND_LEASE_MS } from '../stored-sends/send-states.ts';

/** The server's behaviour after a whole message: whether it takes the message, and which answer arrives. */
export const SERVERS = {
  takes: { takes: true, answer: 'accepted' },
  'takes and is cut off': { takes: true, answer: 'unknown' },
  'is cut off': { takes: false, answer: 'unknown' },
  refuses: { takes: false, answer: 'refused' },
  defers: { takes: false, answer: 'deferred' },
  'defers one of two': { takes: true, answer: 'partly deferred' },
  'refuses one of two': { takes: true, answer: 'partly refused' },
  'defers one of two, and refuses it later': { takes: true, answer: 'deferred and refused' },
} as const;
export type Server = keyof typeof SERVERS;

const PARTLY: string[] = ['partly deferred', 'partly refused', 'deferred and refused'];

class Killed extends Error {}
export const NOBODY = { mailboxIds: [], workspaceIds: [] };
export const [BOB, CY] = ['bob@other.example', 'cy@other.example'] as const;

/** Records the recipients of each message that it takes. */
function serverThat(behaviour: () => Server, taken: string[][]): SendDeps['deliver'] {
  return async (_server, { to }, steps): Promise<Delivery> => {
    const { takes, answer } = SERVERS[behaviour()];
    const isPartly = PARTLY.includes(answer) && to.length > 1;
    const isFinal = answer === 'partly refused';
    const refused = isPartly ? to.slice(1).map((address) => ({ address, reason: 'no', isFinal })) : [];
    if (answer === 'deferred and refused' && !isPartly)
      return { outcome: 'refused', reason: 'no', isFinal: true, isServed: true, refused: [] };
    await steps.dataStarted(refused);
    await steps.dataEnding();
    if (takes) taken.push(isPartly ? to.slice(0, 1) : [...to]);
    if (isPartly || answer === 'accepted')
      return { outcome: 'accepted', response: '250', serverMessageId: null, refused };
    if (answer === 'unknown') return { outcome: 'unknown', reason: 'cut off' };
    return { outcome: 'refused', reason: 'no', isFinal: answer === 'refused', isServed: true, refused: [] };
  };
}

/** Every hour has room. */
export const anySlot: SendDeps['slots'] = {
  choose: (send, keep) => keep({ at: send.scheduledSendAt ?? send.createdAt, waitsFor: null, givenUp: null }),
};

function killingAt(killAt: SendStep | 'never'): NonNullable<SendDeps['at']> {
  let killed = false;
  return (step) => {
    if (step !== killAt || killed) return;
    killed = true;
    throw new Killed();
  };
}

async function workOff(passes: number, clock: ManualClock, store: ReturnType<typeof memorySends>, deps: SendDeps) {
  for (let pass = 0; pass < passes; pass++) {
    const due = await store.sends.claimDue(clock.date(), new Date(clock.now() + SEND_LEASE_MS), NOBODY);
    if (due) await runSend(due, deps).catch(() => undefined);
    else if (store.nextAt() === undefined) return;
    else clock.set((store.nextAt() ?? 0) + 1);
  }
}

/** A send with two recipients, its server, and a process that can be stopped at every step. */
export function sendWorld(
  kind: SendDocument['kind'],
  server: Server,
  filesCopies: boolean,
  killAt: SendStep | 'never',
  patientUntil = 0,
) {
  const clock = manualClock();
  const store = memorySends();
  /** The recipients of each message that the server took. */
  const taken: string[][] = [];
  const recorded = new Set<string>();
  /** The reported recipients by report id, because the real store keeps each report once. */
  const reported = new Map<string, string[]>();
  /** The recipients that were reported with an unknown outcome, once for each request. */
  const unknown: string[] = [];
  const shown: (ShownState & { attempts: number })[] = [];
  let behaviour: Server = server;

  const deps: SendDeps = {
    sends: store.sends,
    context: { clock, log: createLog('test', 'silent'), tracing: noTracing },
    serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
    served: () => undefined,
    deliver: serverThat(() => behaviour, taken),
    attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
    record: async ({ _id }) => {
      if (store.all.get(_id)?.kind === 'remainder') throw new Error('a remainder is no email of its own');
      recorded.add(_id);
      return `eml_${_id}`;
    },
    reportUndelivered: async ({ _id, remainderOf }, failed, outcome) => {
      const to = failed.map(({ address }) => address);
      if (outcome === 'unknown') return void unknown.push(...to);
      reported.set(JSON.stringify(remainderOf === null ? [_id] : [remainderOf, ...to]), to);
    },
    draftIsUnchanged: async () => true,
    isFiled: async () => filesCopies && taken.length > 0,
    unmet: async () => null,
    slots: anySlot,
    show: async ({ attempts }, what) => shown.push({ ...what, attempts }) > 0,
    count: () => undefined,
    at: killingAt(killAt),
  };
  const begin = async (passes = 40) => {
    const one = store.make(kind, new Date(clock.now() + SEND_LEASE_MS), clock.date());
    const send = { ...one, to: [BOB, CY] };
    await store.sends.insert('w', send);
    await beginSend(send, deps, patientUntil).catch(() => undefined);
    behaviour = server === 'defers' || server === 'defers one of two' ? 'takes' : server;
    await workOff(passes, clock, store, deps);
    return store.only();
  };
  return { begin, taken, recorded, reported, unknown, shown, clock, deps, store };
}
