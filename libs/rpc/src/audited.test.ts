import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { audited, type AuditEntry, type AuditTable, type AuditTrail } from './audited.ts';
import type { Actor } from './actor.ts';
import type { Call } from './call.ts';
import type { EchoDefinition, Words } from './echo.test-support.ts';
import type { Handlers } from './definition.ts';

const actor: Actor = { kind: 'key', id: 'key_1', name: 'ci', address: '192.0.2.1' };
const callOf = (more: Partial<Call> = {}) => ({ workspaceId: 'wsp_1', operationId: 'op_1', actor, ...more }) as Call;

/** Each step of a process that is alive. A process that is killed takes no further step, and its caller gets no answer. */
let steps: number;
let killedAt: number;
const step = async <T>(work: () => T): Promise<T> => {
  if (steps++ >= killedAt) return new Promise<T>(() => undefined);
  return work();
};
let entries: Map<string, { outcome: string } & AuditEntry>;
let made: string[];
let refusal: Error | undefined;
beforeEach(() => {
  steps = 0;
  killedAt = Infinity;
  entries = new Map();
  made = [];
  refusal = undefined;
});

const trail: AuditTrail = {
  begin: (entry) =>
    step(() => {
      if (entries.has(entry.id)) return false;
      entries.set(entry.id, { ...entry, outcome: 'unknown' });
      return true;
    }),
  finish: (entry) => step(() => void entries.set(entry.id, { ...entry, outcome: 'done' })),
  drop: ({ id }) =>
    step(() => {
      if (entries.get(id)?.outcome === 'unknown') entries.delete(id);
    }),
};
const table: AuditTable<typeof EchoDefinition> = {
  echo: {
    action: 'word.said',
    target: ({ words: [id = ''] }: Words, answer?: Words) => ({ kind: 'word', id, name: answer?.words[0] }),
    workspaces: async ({ words }: Words) => (words.length > 1 ? words.slice(1) : ['wsp_1']),
  },
  gather: 'not audited',
};
const handlers: Handlers<typeof EchoDefinition> = {
  echo: ({ words: [word = ''] }) =>
    step(() => {
      if (refusal) throw refusal;
      made.push(word);
      return { words: [`${word}!`] };
    }),
  read: async (request) => request,
  gather: async () => ({ words: [] }),
};
const { echo, read, gather } = audited<typeof EchoDefinition>(handlers, table, trail);
const told = () =>
  [...entries.values()].map(({ workspaceId, action, target, outcome }) => ({ workspaceId, action, target, outcome }));

describe('a change that somebody asks for', () => {
  it('is told with its actor, its target as it became, and its outcome', async () => {
    expect(await echo({ words: ['a'] }, callOf())).toEqual({ words: ['a!'] });
    expect([...entries.values()]).toEqual([
      {
        id: expect.any(String),
        workspaceId: 'wsp_1',
        actor,
        action: 'word.said',
        target: { kind: 'word', id: 'a', name: 'a!' },
        outcome: 'done',
      },
    ]);
  });

  it('is told in every workspace that it is about', async () => {
    await echo({ words: ['a', 'wsp_1', 'wsp_2'] }, callOf());
    expect(told().map(({ workspaceId }) => workspaceId)).toEqual(['wsp_1', 'wsp_2']);
  });

  it('is told once, however often its operation is repeated', async () => {
    await echo({ words: ['a'] }, callOf());
    await echo({ words: ['a'] }, callOf());
    await echo({ words: ['a'] }, callOf({ operationId: 'op_2' }));
    expect(told()).toHaveLength(2);
  });

  it('is not told where it was refused', async () => {
    refusal = new ApiError('LABEL_NOT_FOUND');
    await expect(echo({ words: ['a'] }, callOf())).rejects.toBe(refusal);
    expect(told()).toEqual([]);
  });

  it.each(['INTERNAL_ERROR', 'QUERY_TIMEOUT'] as const)('has an unknown outcome after %s', async (code) => {
    refusal = new ApiError(code);
    await expect(echo({ words: ['a'] }, callOf())).rejects.toBe(refusal);
    expect(told()).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('is not made where its entry cannot be stored', async () => {
    const broken = { ...trail, begin: () => Promise.reject(new Error('no database')) };
    const call = audited<typeof EchoDefinition>(handlers, table, broken).echo({ words: ['a'] }, callOf());
    await expect(call).rejects.toThrow('no database');
    expect(made).toEqual([]);
  });

  it('is not told without an actor, and neither are reads and methods that are left out', async () => {
    await echo({ words: ['a'] }, callOf({ actor: undefined }));
    await read({ words: ['a'] }, callOf());
    await gather((async function* () {})(), callOf());
    expect([made, told()]).toEqual([['a'], []]);
  });
});

describe('a process that is killed while it makes a change', () => {
  const untilIdle = () => new Promise((resolve) => setImmediate(resolve));

  it.each([0, 1, 2, 3])(
    'before step %d has told of the change that it made, and its repeat completes the entry',
    async (at) => {
      killedAt = at;
      void echo({ words: ['a'] }, callOf());
      await untilIdle();
      const outcome = [undefined, 'unknown', 'unknown', 'done'][at];
      expect([made.length, told()[0]?.outcome]).toEqual([at >= 2 ? 1 : 0, outcome]);
      killedAt = Infinity;
      await echo({ words: ['a'] }, callOf());
      expect(told()).toMatchObject([{ outcome: 'done' }]);
    },
  );

  it.each([1, 2])('before step %d keeps its entry where a repeat is refused', async (at) => {
    killedAt = at;
    void echo({ words: ['a'] }, callOf());
    await untilIdle();
    killedAt = Infinity;
    refusal = new ApiError('CONFLICT');
    await expect(echo({ words: ['a'] }, callOf())).rejects.toBe(refusal);
    expect(told()).toMatchObject([{ outcome: 'unknown' }]);
  });
});
