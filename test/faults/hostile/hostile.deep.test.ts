import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { whenDatabaseHas } from '../../engines/support/mongo.ts';
import { freshDatabaseUri } from '../../support/database.ts';
import { attacks, titleOf } from './attacks/table.ts';
import { withstand } from './promise.ts';
import { openAttackRun, type AttackRun } from './attack-run.ts';

/** A database that reads every document for each query gives no bound on the time of an answer. */
const whenPromised = whenDatabaseHas('explain');

let attackRun: AttackRun;
beforeAll(async () => {
  attackRun = await openAttackRun(freshDatabaseUri(), {
    neighbours: 1,
    emails: 2_000,
    victims: 3,
    passes: 4,
    quietPasses: 1,
    warmPasses: 5,
  });
});
afterAll(() => attackRun.close());

describe('harmless callers are answered nearly as fast as before during', () => {
  const titled = attacks.map((attack) => [titleOf(attack), attack] as const);
  whenPromised.each(titled)(
    '%s',
    async (_, attack) => {
      const { outcome, broken } = await withstand(attackRun, attack);
      expect(broken).toBeUndefined();
      expect(outcome.tally.done).toBeGreaterThan(0);
    },
    // Each try has tens of calls, which take long where the promise is broken.
    300_000,
  );
});

// The amount of garbage differs with the version of Node, so only the long run also compares with the quiet size.
whenPromised('no service took more than the chart gives it', () => {
  expect(attackRun.scales.tooHeavy(Infinity)).toEqual([]);
});
