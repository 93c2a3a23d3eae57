import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@postroom/runtime/log';
import { RetryLater } from './bus.ts';
import { type AttemptsStore, createCountedAttempts, EndedItsProcess } from './counted-attempts.ts';

/** The storage outlives every process that works with it. */
function storage() {
  const counts = new Map<string, number>();
  const add = (id: string, by: number) => {
    const count = (counts.get(id) ?? 0) + by;
    counts.set(id, count);
    return count;
  };
  const store: AttemptsStore = {
    begin: async (_workspaceId, id) => add(id, 1),
    takeBack: async (_workspaceId, id) => void add(id, -1),
    end: async (_workspaceId, id) => void counts.delete(id),
  };
  return { counts, store };
}

/** Work whose process has ended neither resolves nor rejects. */
const dies = () => new Promise<never>(() => undefined);
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('work whose attempts are counted', () => {
  it('is not begun any more after it ended five processes, until it is forgotten', async () => {
    const { store } = storage();
    let begun = 0;
    const die = () => ((begun += 1), dies());
    for (let deaths = 0; deaths < 5; deaths += 1) {
      void createCountedAttempts(store, silentLog).attempt('wsp_1', 'poison', die);
      await soon();
    }
    const attempts = createCountedAttempts(store, silentLog);
    await expect(attempts.attempt('wsp_1', 'poison', die)).rejects.toThrow(EndedItsProcess);
    await expect(attempts.attempt('wsp_1', 'poison', die)).rejects.toThrow(EndedItsProcess);
    expect(begun).toBe(5);
    await attempts.forget('wsp_1', 'poison');
    await expect(attempts.attempt('wsp_1', 'poison', async () => 'done')).resolves.toBe('done');
  });

  it('has all attempts again once one has ended, also with an error', async () => {
    const { counts, store } = storage();
    counts.set('good', 4);
    const attempts = createCountedAttempts(store, silentLog);
    const failing = () => Promise.reject(new Error('the database is unavailable'));
    await expect(attempts.attempt('wsp_1', 'good', failing)).rejects.toThrow('unavailable');
    expect(counts.size).toBe(0);
  });

  it('is not given up for deaths of its process that came while it waited for another suspect', async () => {
    const { counts, store } = storage();
    counts.set('poison', 2).set('good', 2);
    for (let deaths = 2; deaths < 5; deaths += 1) {
      const { attempt } = createCountedAttempts(store, silentLog);
      void attempt('wsp_1', 'poison', dies);
      void attempt('wsp_1', 'good', dies);
      await soon();
    }
    const attempts = createCountedAttempts(store, silentLog);
    await expect(attempts.attempt('wsp_1', 'poison', dies)).rejects.toThrow(EndedItsProcess);
    await expect(attempts.attempt('wsp_1', 'good', async () => 'done')).resolves.toBe('done');
  });

  it('waits while another attempt may be in work, and does not count', async () => {
    const { counts, store } = storage();
    const attempts = createCountedAttempts({ ...store, begin: async () => undefined }, silentLog);
    await expect(attempts.attempt('wsp_1', 'good', dies)).rejects.toBeInstanceOf(RetryLater);
    expect(counts.size).toBe(0);
  });
});
