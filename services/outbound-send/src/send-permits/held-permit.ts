import type { ServiceContext } from '@postroom/runtime/service';
import type { Given, PermitStore } from './permit-store.ts';
import type { PermitOwner } from './local-permits.ts';

/** The permit of a message at the mail server of its mailbox. */
export interface SendPermit {
  /** The server is contacted now, which uses the permit's part of the pace. */
  use(): void;
  /** Whether the server was available for the mailbox, whatever it answered to the message. */
  note(isServed: boolean): void;
  /** Somebody is still at it. */
  extend(): Promise<void>;
  leave(): Promise<void>;
}

export interface PermitDeps {
  store: PermitStore;
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log'>;
  leaseMs: number;
}

interface Taken {
  id: string;
  until: Date;
  /** The number of earlier failures in a row to reach the server. */
  failures: number;
  /** Its part of the pace. */
  pacedMs: number;
}

const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 5 * 60_000;

/** `onLeft` gets the pause of the mailbox once it is stored. */
export function heldPermit(
  { workspaceId, mailboxId }: PermitOwner,
  { id, until: untilAtFirst, failures, pacedMs }: Taken,
  { store, context: { clock, log }, leaseMs }: PermitDeps,
  onLeft: (restsUntil: Date | undefined) => void,
): SendPermit {
  let until = untilAtFirst;
  let unusedMs = pacedMs;
  let served: Given['served'];
  return {
    use: () => void (unusedMs = 0),
    note: (isServed) => {
      served = isServed ? { failures: 0, restsUntil: new Date(0) } : restAfter(failures + 1, clock.now());
    },
    extend: async () => {
      const longer = new Date(clock.now() + leaseMs);
      await store.extend(workspaceId, mailboxId, { id, until }, longer);
      until = longer;
    },
    leave: async () => {
      await store.leave(workspaceId, mailboxId, id, { served, unusedMs }).catch((error: unknown) => {
        log.warn({ err: error, mailboxId }, 'send permit not released; it expires with its lease');
      });
      onLeft(served && served.failures > 0 ? served.restsUntil : undefined);
    },
  };
}

/** After a server was not there the rest of a mailbox's mail waits, longer each time: asking on would not help it. */
function restAfter(failures: number, now: number) {
  return { failures, restsUntil: new Date(now + Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS)) };
}
