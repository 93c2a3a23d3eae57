import { expect, it } from '@jest/globals';
import { createAgentStore } from './agent-store.ts';

const counted = { agentId: 'gra_1', day: '2026-01-01', most: 2, expiresAt: new Date() };
const budget = { remainingMs: () => 1_000 };

/** The first upsert meets a document that another call inserts at the same moment, as a database reports it. */
function raced(sendIds: string[]) {
  const updateOne = async (
    _filter: object,
    { $addToSet: { sendIds: id } }: { $addToSet: { sendIds: string } },
    options: { upsert?: boolean },
  ) => {
    if (options.upsert) throw Object.assign(new Error('E11000 duplicate key'), { code: 11000 });
    if (sendIds.length >= counted.most) return { matchedCount: 0 };
    sendIds.push(id);
    return { matchedCount: 1 };
  };
  const findOne = ({ sendIds: id }: { sendIds: string }) => ({ lean: async () => (sendIds.includes(id) ? {} : null) });
  const agentSendCounts = { updateOne, findOne };
  return createAgentStore({ agentSendCounts } as unknown as Parameters<typeof createAgentStore>[0]);
}

it.each([
  ['is counted where another call began the day at the same moment', ['snd_a'], true],
  ['is refused where the day is full', ['snd_a', 'snd_b'], false],
  ['that was counted before is allowed, though the day is full', ['snd_a', 'snd_c'], true],
])('a send %s', async (_what, before, isAllowed) => {
  expect(await raced(before).count('wsp_1', 'snd_c', counted, budget)).toBe(isAllowed);
});
