import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { timeLimits } from './time-limits.ts';
import { within } from './within.ts';

export interface Lifecycle {
  /** Registers how to close a part that was just opened. */
  add(name: string, close: () => unknown): void;
  /** Closes everything, last opened first; calling it again waits for the same closing. */
  close(): Promise<void>;
}

interface Entry {
  name: string;
  close: () => unknown;
}

/** Closes parts in the reverse order of opening, because a part may use the parts that were opened before it. */
export function createLifecycle(log: Log, limitMs = timeLimits.closeMs): Lifecycle {
  const opened: Entry[] = [];
  let closing: Promise<void> | undefined;

  const closeAll = async () => {
    for (let entry = opened.pop(); entry; entry = opened.pop()) await closeOne(entry, limitMs, log);
  };

  return {
    add: (name, close) => {
      // A part that opens while the others close would otherwise never be closed.
      if (closing) closing = closing.then(() => closeOne({ name, close }, limitMs, log));
      else opened.push({ name, close });
    },
    close: () => (closing ??= closeAll()),
  };
}

async function closeOne({ name, close }: Entry, limitMs: number, log: Log): Promise<void> {
  const tooLate = () => new Error(`not closed within ${limitMs} ms`);
  try {
    await within({ ms: limitMs, clock: systemClock, tooLate }, close);
  } catch (error) {
    // One part that cannot close must not keep the others open.
    log.error({ err: error, part: name }, 'could not close');
  }
}
