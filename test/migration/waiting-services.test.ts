import { expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import { SCHEMA_VERSION } from '@postroom/mail-store/schema-version';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { steps, FIRST_VERSION } from '@postroom/mail-store/migrations/steps';
import { manualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../support/database.ts';

it('a service of this version begins no work on the schema of the version before, and begins when the migration has run', async () => {
  const uri = freshDatabaseUri();
  const operator = createServiceContext({ name: 'migrate', logLevel: 'silent' });
  const { connection } = await openMailStore({ uri, needsSchema: false }, operator);
  await migrate(connection, operator, { steps: steps.slice(0, -1), firstVersion: FIRST_VERSION });

  const clock = manualClock();
  const pod = createServiceContext({ name: 'pod', logLevel: 'silent', clock });
  let isOpen = false;
  const opened = openMailStore({ uri }, pod).then(() => (isOpen = true));
  const untilItSleeps = async () => {
    while (clock.sleeping === 0 && !isOpen) await new Promise((resolve) => setImmediate(resolve));
  };
  for (let second = 0; second < 3; second += 1) {
    await untilItSleeps();
    expect(isOpen).toBe(false);
    expect(await pod.readiness.check()).toEqual({ ready: false, failed: ['schema'] });
    await clock.advance(1_000);
  }
  expect(await migrate(connection, operator)).toMatchObject({ version: SCHEMA_VERSION });
  await untilItSleeps();
  await clock.advance(1_000);
  await opened;
  expect(await pod.readiness.check()).toEqual({ ready: true, failed: [] });

  await connection.dropDatabase();
  await pod.lifecycle.close();
  await operator.lifecycle.close();
});
