import { expect, it } from '@jest/globals';
import { inFairOrder } from './fair-order.ts';

it('a workspace waits for the work of another that is being done, and for none that waits', async () => {
  const done: string[] = [];
  const ask = (workspaceId: string, name: string) => inFairOrder(workspaceId, () => void done.push(name));
  const attacks = Array.from({ length: 12 }, (_, n) => ask('wsp_attacker', `a${n}`));
  await ask('wsp_victim', 'v');
  expect(done).toEqual(['a0', 'v']);
  await Promise.all(attacks);
  expect(done).toHaveLength(13);
});

it('lets the event loop turn between two pieces of work, and goes on after one that fails', async () => {
  const done: string[] = [];
  const failing = inFairOrder('wsp_1', () => {
    setImmediate(() => done.push('the loop'));
    throw new Error('no');
  });
  const next = inFairOrder('wsp_1', () => void done.push('the next'));
  await expect(failing).rejects.toThrow('no');
  await next;
  expect(done).toEqual(['the loop', 'the next']);
});
