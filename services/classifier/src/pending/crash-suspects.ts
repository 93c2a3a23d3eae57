import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { PendingEmail } from './pending-store.ts';
import type { AttemptOutcome } from './attempt-email.ts';
import { isCrashSuspect, isLastAttemptOfSuspect } from './attempt-failure.ts';

type Work = () => Promise<AttemptOutcome>;

interface CrashSuspects {
  /** While it is true nothing else begins in this process. */
  isAlone(): boolean;
  /** Does the work on an email, unless that has to wait for a suspect. */
  run(email: PendingEmail, emailId: string, work: Work): Promise<AttemptOutcome | 'another suspect first'>;
}

/**
 * Suspects are worked on one at a time, so that they do not share their deaths with each other. A process may die of
 * anything, so the last attempt of a suspect waits until the process has no other email in hand.
 */
export function createCrashSuspects(running: ReadonlyMap<string, Promise<void>>): CrashSuspects {
  const limit = createFairLimit({ total: 1 });
  let isAlone = false;
  const alone = async (own: string, work: Work): Promise<AttemptOutcome> => {
    isAlone = true;
    const others = [...running].filter(([emailId]) => emailId !== own);
    await Promise.all(others.map(([, other]) => other));
    return work().finally(() => (isAlone = false));
  };
  return {
    isAlone: () => isAlone,
    run: async (email, emailId, work) => {
      if (isAlone) return 'another suspect first';
      if (!isCrashSuspect(email)) return work();
      const done = limit.tryAcquire(email.workspaceId);
      if (!done) return 'another suspect first';
      return (isLastAttemptOfSuspect(email) ? alone(emailId, work) : work()).finally(done);
    },
  };
}
