import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import { startTimer } from '@postroom/runtime/timer';

export type PermitOwner = Pick<SendDocument, 'workspaceId' | 'mailboxId'>;

/** The number of messages that this process may send at once. */
export interface PermitBounds {
  perMailbox: number;
  perWorkspace: number;
  total: number;
}

/** Releases the permit. */
export type Leave = () => void;

interface LocalPermits {
  /** A permit at once, or nothing. */
  take(whose: PermitOwner): Leave | undefined;
  /** A permit as soon as one is free; nothing when that takes too long. Waiting callers come before automatic sends. */
  wait(whose: PermitOwner, limitMs: number): Promise<Leave | undefined>;
  isFull(): boolean;
  /** Mailboxes and workspaces that hold all their permits. */
  atTheirBound(): { mailboxIds: string[]; workspaceIds: string[] };
  /** Workspaces that hold a permit. */
  present(): string[];
}

interface Waiting {
  whose: PermitOwner;
  admit(leave: Leave | undefined): void;
}

/** Keeps a mail server that does not answer, and a workspace that sends much, from taking up what others need. */
export function createLocalPermits(
  { perMailbox, perWorkspace, total }: PermitBounds,
  clock: Pick<Clock, 'sleep'>,
): LocalPermits {
  const held = createCounts();
  const { mailboxes, workspaces } = held;
  let waiting: Waiting[] = [];

  const enter = (whose: PermitOwner): Leave => {
    let isInside = true;
    held.add(whose, 1);
    return () => {
      if (!isInside) return;
      isInside = false;
      held.add(whose, -1);
      admitNext();
    };
  };
  const take = (whose: PermitOwner): Leave | undefined => {
    const [ofMailbox = 0, ofWorkspace = 0] = [mailboxes.get(whose.mailboxId), workspaces.get(whose.workspaceId)];
    return held.total() < total && ofMailbox < perMailbox && ofWorkspace < perWorkspace ? enter(whose) : undefined;
  };
  const admitNext = (): void => {
    for (const one of waiting) {
      const leave = take(one.whose);
      if (leave) return one.admit(leave);
    }
  };
  const queue = (whose: PermitOwner, limitMs: number): Promise<Leave | undefined> =>
    new Promise((resolve) => {
      const admit = (leave: Leave | undefined) => {
        waiting = waiting.filter((other) => other !== one);
        cancel();
        resolve(leave);
      };
      const one: Waiting = { whose, admit };
      waiting.push(one);
      const cancel = startTimer(clock, limitMs, () => admit(undefined));
    });

  return {
    take,
    wait: async (whose, limitMs) => take(whose) ?? queue(whose, limitMs),
    isFull: () => held.total() >= total,
    atTheirBound: () => ({
      mailboxIds: keysFrom(mailboxes, perMailbox),
      workspaceIds: keysFrom(workspaces, perWorkspace),
    }),
    present: () => keysFrom(workspaces, 1),
  };
}

/** The permits that are held: of each mailbox, of each workspace, and together. */
function createCounts() {
  const mailboxes = new Map<string, number>();
  const workspaces = new Map<string, number>();
  let taken = 0;
  return {
    mailboxes,
    workspaces,
    total: () => taken,
    add: ({ mailboxId, workspaceId }: PermitOwner, by: 1 | -1): void => {
      taken += by;
      addTo(mailboxes, mailboxId, by);
      addTo(workspaces, workspaceId, by);
    },
  };
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function keysFrom(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts].flatMap(([key, count]) => (count >= least ? [key] : []));
}
