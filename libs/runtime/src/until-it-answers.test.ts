import { expect, it } from '@jest/globals';
import { manualClock } from './clock.ts';
import { silentLog } from './log.ts';
import { createReadiness } from './readiness.ts';
import { untilItAnswers } from './until-it-answers.ts';

it('an engine that is unavailable is asked each second, complained of once for each reason, and keeps the service unready until then', async () => {
  const [clock, readiness] = [manualClock(), createReadiness()];
  const complaints: unknown[] = [];
  const log = { ...silentLog, warn: (what: { cause: string }) => void complaints.push(what.cause) } as typeof silentLog;
  const reasons = ['refused', 'refused', 'refused', 'wrong password', 'wrong password'];
  const connect = async () => {
    const reason = reasons.shift();
    if (reason) throw new Error(reason);
    return 'a connection';
  };
  const answered = untilItAnswers('broker', connect, { clock, log, readiness });
  for (let second = 0; second < 5; second++) {
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await readiness.check()).toEqual({ ready: false, failed: ['broker'] });
    await clock.advance(1_000);
  }
  expect(await answered).toBe('a connection');
  expect(complaints).toEqual(['refused', 'wrong password']);
  expect(await readiness.check()).toEqual({ ready: true, failed: [] });
});
