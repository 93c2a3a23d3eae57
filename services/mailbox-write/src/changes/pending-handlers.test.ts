import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMetrics } from '@postroom/runtime/metrics';
import { openChangeWorld, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createPendingHandlers, createQuarantineHandlers } from './pending-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createPendingHandlers> & ReturnType<typeof createQuarantineHandlers>;
beforeAll(async () => {
  world = await openChangeWorld();
  const { pending } = world.stores;
  const context = { ...world.context, metrics: createMetrics('test') };
  handlers = { ...createPendingHandlers({ pending, context }), ...createQuarantineHandlers({ pending, context }) };
});
afterAll(() => world.close());

const [soon, later] = ['2026-01-02T00:00:05.000Z', '2026-01-02T00:00:20.000Z'];
const waiting = { awaitsClassificationSince: new Date('2026-01-02T03:04:05Z') };

it('an email is taken up by whoever knows when it was to be taken up last, and by nobody else', async () => {
  const { call, emails } = await world.workspace();
  const [emailId = ''] = await emails(1, waiting);
  const ask = async (seen: string | undefined, notBefore: string) =>
    (await handlers.postponeClassification({ emailId, seen, notBefore, quarantine: false }, call)).isChanged;
  expect([await ask(undefined, soon), await ask(undefined, later), await ask(later, later)]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await world.stored(emailId)).classification).toEqual({ notBefore: new Date(soon) });
  expect(await ask(soon, later)).toBe(true);
});

it('an email that does not wait any more is taken up by nobody', async () => {
  const { call, emails } = await world.workspace();
  const [emailId = ''] = await emails(1, {});
  const request = { emailId, seen: undefined, notBefore: soon, quarantine: false };
  expect(await handlers.postponeClassification(request, call)).toEqual({ isChanged: false });
});

it('a quarantined email is listed with its cause, waits for nothing, and waits again once it is retried', async () => {
  const { call, emails } = await world.workspace();
  const [emailId = '', other = ''] = await emails(2, waiting);
  const failed = { notBefore: soon, attempts: 5, cause: 'x'.repeat(1_000), quarantine: true };
  for (const id of [emailId, other]) {
    expect(await handlers.postponeClassification({ ...failed, emailId: id, seen: undefined }, call)).toEqual({
      isChanged: true,
    });
  }
  expect(await world.stored(emailId)).not.toHaveProperty('awaitsClassificationSince');
  const { items } = await handlers.listQuarantined({ mailboxId: undefined, limit: 0 }, call);
  expect(items.map((item) => item.emailId).toSorted()).toEqual([emailId, other].toSorted());
  expect(items[0]).toMatchObject({ attempts: 5, cause: 'x'.repeat(300) });

  const foreign = await world.workspace();
  expect(await handlers.retryQuarantined({ emailIds: [emailId] }, foreign.call)).toEqual({ retried: 0 });
  expect(await handlers.retryQuarantined({ emailIds: [emailId] }, call)).toEqual({ retried: 1 });
  expect(await world.stored(emailId)).toMatchObject({ awaitsClassificationSince: expect.any(Date) });
  expect(await world.stored(emailId)).not.toHaveProperty('classification');
  expect(await handlers.retryQuarantined({ emailIds: [] }, call)).toEqual({ retried: 1 });
});
