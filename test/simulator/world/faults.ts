import type { Chance } from './chance.ts';

interface Fault {
  /** Of the places where it may strike. */
  share: number;
  /** The sentence of the trace. */
  what: string;
  /** Others are drawn once where this one is drawn so often: a run with it takes up to twice as much time. */
  drawn?: number;
}

/** Every fault that a seed may draw. */
export const FAULTS = {
  order: { share: 1, what: 'whatever is ready runs in any order' },
  delays: { share: 0.02, what: 'a message takes seconds' },
  lostCalls: { share: 0.02, what: 'a call never arrives' },
  lostAnswers: { share: 0.02, what: 'a call has its effect and its answer is lost' },
  refusedQueries: { share: 0.01, what: 'the database refuses' },
  lostQueryAnswers: { share: 0.01, what: 'the database writes and its answer is lost' },
  refusedPublishes: { share: 0.1, what: 'the broker refuses' },
  lostPublishAnswers: { share: 0.1, what: 'the broker stores and its answer is lost' },
  lostEvents: { share: 0.1, what: 'the broker loses an event' },
  repeatedEvents: { share: 0.15, what: 'an event is delivered again, to any pod of the group' },
  kills: { share: 0.004, what: 'a pod is killed' },
  stalls: { share: 0.003, what: 'a pod stands still for seconds, and goes on as if nothing had happened' },
  slowModel: { share: 0.15, what: 'the model thinks for longer than a lease lasts' },
  clocks: { share: 1, what: 'the clocks of pods differ by seconds' },
  poison: { share: 1, what: 'the model fails on some emails, always', drawn: 0.5 },
  modelFailures: { share: 0.1, what: 'the model fails once' },
  smtpUnavailable: { share: 0.08, what: 'the mail server of a mailbox cannot be reached' },
  smtpRefusals: { share: 0.08, what: 'the mail server asks to try again later' },
  lostSmtpAnswers: { share: 0.08, what: 'the mail server takes a message and its answer is lost' },
  lostImapConnections: { share: 0.02, what: 'the connection to a provider is lost, before a command or behind it' },
  stallsInWork: { share: 0.02, what: 'a pod stands still behind a write, for longer than its lease lasts' },
  outage: { share: 1, what: 'the service that sends is unavailable for minutes', drawn: 0.25 },
  closedFolder: { share: 1, what: 'a provider lists a folder and refuses to open it, for a minute or for ever' },
  renumbered: { share: 1, what: 'a provider gives the messages of a folder other UIDs' },
  deferredRecipients: {
    share: 0.5,
    what: 'the mail server takes a message for some recipients, and asks to wait for others',
  },
  slowSmtpAnswers: { share: 0.08, what: 'the mail server takes a message and answers after the time of a call' },
  pauses: { share: 1, what: 'a mailbox is disconnected, or its workspace is suspended, and connected again' },
  fullDisk: {
    share: 1,
    what: 'the disk of the database is full, for up to two minutes: it answers reads and refuses writes',
    drawn: 0.25,
  },
  endpointFailures: { share: 0.2, what: 'the endpoint of a webhook fails' },
  lostEndpointAnswers: { share: 0.08, what: 'the endpoint of a webhook takes a delivery and its answer is lost' },
  sickEndpoint: { share: 1, what: 'the endpoint of a webhook refuses or hangs, for up to two minutes' },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
export const faultNames = Object.keys(FAULTS) as FaultName[];

/** Behind these, what was under way may be done again. */
export const REPEATING: readonly FaultName[] = [
  'delays',
  'lostCalls',
  'lostAnswers',
  'refusedQueries',
  'lostQueryAnswers',
  'kills',
  'stalls',
  'stallsInWork',
];
const OF_DATABASE: readonly FaultName[] = ['refusedQueries', 'lostQueryAnswers', 'fullDisk'];

export interface Faults {
  isOn(name: FaultName): boolean;
  /** Whether the fault strikes here and now. */
  strikes(name: FaultName): boolean;
  /** Whether the database refuses no write, and each of its answers arrives. */
  isDatabaseSound(): boolean;
  /** No fault strikes from now on. */
  end(): void;
  /** The number of strikes of each fault. */
  counts(): Readonly<Record<string, number>>;
  /** The strikes in all, also those that were left out. */
  drawn(): number;
}

export interface FaultChoice {
  /** Instead of those that the seed draws. */
  only?: readonly FaultName[] | undefined;
  /** Numbers of strikes that are left out, for a run with fewer faults. */
  without?: ReadonlySet<number> | undefined;
}

/** Each seed switches about half of the faults off, because all faults at once hide each other. */
export function drawFaults(chance: Chance): FaultName[] {
  const share = chance.pick([0.15, 0.35, 0.6]);
  return faultNames.filter((name) => chance.happens(share * ((FAULTS[name] as Fault).drawn ?? 1)));
}

export function createFaults(chance: Chance, { only, without = new Set() }: FaultChoice): Faults {
  // A fault more, at the end of the list, changes no strike of the others.
  const drawn = drawFaults(chance.fork());
  const on = new Set(only ?? drawn);
  const counts: Record<string, number> = {};
  let number = 0;
  let isOver = false;
  return {
    isOn: (name) => on.has(name),
    strikes: (name) => {
      if (isOver || !on.has(name) || !chance.happens(FAULTS[name].share)) return false;
      number += 1;
      if (without.has(number)) return false;
      counts[name] = (counts[name] ?? 0) + 1;
      return true;
    },
    isDatabaseSound: () => !OF_DATABASE.some((name) => on.has(name)),
    end: () => void (isOver = true),
    counts: () => counts,
    drawn: () => number,
  };
}
