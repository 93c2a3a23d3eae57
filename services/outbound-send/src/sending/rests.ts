import type { Clock } from '@postroom/runtime/clock';

export interface Rests {
  /** Whether the server of a mailbox served it just now. */
  note(mailboxId: string, isServed: boolean): void;
  /** What leaves by itself is counted, so that no mailbox sends faster than providers put up with. */
  count(mailboxId: string): void;
  /** Mailboxes whose mail is not taken up now. */
  resting(): string[];
}

interface Rest {
  failures: number;
  until: number;
  /** When the messages counted so far are all paid for at the pace. */
  pacedUntil: number;
}

const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 5 * 60_000;
const FORGOTTEN_AFTER_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** After a server did not serve a mailbox, the rest of its mail waits, longer each time: asking on would not help it. */
export function createRests(perMinute: number, clock: Pick<Clock, 'now'>): Rests {
  const rests = new Map<string, Rest>();
  const of = (mailboxId: string): Rest => {
    const rest = rests.get(mailboxId) ?? { failures: 0, until: 0, pacedUntil: 0 };
    rests.set(mailboxId, rest);
    return rest;
  };
  /** A minute's worth may leave at once; what is past it waits until it is paid for. */
  const isResting = ({ until, pacedUntil }: Rest, now: number) => until > now || pacedUntil > now + MINUTE_MS;
  const isOver = ({ until, pacedUntil }: Rest, now: number) => pacedUntil <= now && until + FORGOTTEN_AFTER_MS <= now;

  return {
    note(mailboxId, isServed) {
      const rest = of(mailboxId);
      rest.failures = isServed ? 0 : rest.failures + 1;
      rest.until = isServed ? 0 : clock.now() + Math.min(FIRST_REST_MS * 2 ** (rest.failures - 1), LONGEST_REST_MS);
    },

    count(mailboxId) {
      const rest = of(mailboxId);
      rest.pacedUntil = Math.max(rest.pacedUntil, clock.now()) + MINUTE_MS / perMinute;
    },

    resting() {
      const now = clock.now();
      for (const [mailboxId, rest] of rests) if (isOver(rest, now)) rests.delete(mailboxId);
      return [...rests].flatMap(([mailboxId, rest]) => (isResting(rest, now) ? [mailboxId] : []));
    },
  };
}
