/** The access that an attacker has: none, a key that reads, somebody's mail address, or a workspace of its own. */
type Who = 'stranger' | 'reader' | 'sender' | 'tenant';

export interface Attack {
  name: string;
  who: Who;
  /** Goes on, many at once, until it is told to stop. */
  run(target: Target, ground: Ground): Promise<unknown>;
}

/** A workspace that its own people turn against the others. */
export interface Neighbour {
  workspaceId: string;
  mailboxId: string;
  readKey: string;
  writeKey: string;
  emailIds: string[];
  labelId: string;
  /** An email whose html is nothing but what is opened and never closed. */
  nestedId: string;
}

/** All that an attacker knows; as JSON it goes to where attacks run. */
export interface Target {
  baseUrl: string;
  mailboxWrite: string;
  /** There are several, because each has its own limits: a single one would soon be refused. */
  neighbours: Neighbour[];
  /** One more, for attacks that use up all that its plan allows. */
  spender: Neighbour;
  /** An address of those who are to suffer. */
  victim: { workspaceId: string; mailboxId: string };
}

/** The completed steps of an attack, and the faults that no attack may cause. */
export interface Tally {
  done: number;
  /** The number of these steps that were refused by the limits of a plan. */
  refused: number;
  faults: string[];
}

export interface Ground {
  tally: Tally;
  signal: AbortSignal;
  /** Does it again and again, so many at once, until the attack is over. A failed step is repeated. */
  storm(atOnce: number, step: (nth: number) => Promise<unknown>): Promise<void>;
  /** Records an answer. A 500 without Retry-After is a fault. */
  note(status: number, hasRetryAfter: boolean): void;
}

/** A breath, so that what fails at once is not done a hundred thousand times. */
const AFTER_FAILURE_MS = 5;
const MOST_FAULTS = 5;

export function openGround(signal: AbortSignal): Ground {
  const tally: Tally = { done: 0, refused: 0, faults: [] };
  let count = 0;
  const one = async (step: (nth: number) => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await step(count++);
        tally.done++;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
      }
    }
  };
  return {
    tally,
    signal,
    storm: async (atOnce, step) => void (await Promise.all(Array.from({ length: atOnce }, () => one(step)))),
    note: (status, hasRetryAfter) => {
      if (status === 429) tally.refused++;
      if (status < 500 || hasRetryAfter || tally.faults.length >= MOST_FAULTS) return;
      tally.faults.push(`${status} without Retry-After`);
    },
  };
}
