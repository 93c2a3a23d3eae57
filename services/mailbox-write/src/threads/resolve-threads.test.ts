import { describe, expect, it } from '@jest/globals';
import { resolveThreads } from './resolve-threads.ts';

const newIds = () => {
  let next = 1;
  return () => `new-${next++}`;
};

describe('threads by references', () => {
  it('messages that name each other share a thread, strangers do not', () => {
    const { threadIds } = resolveThreads([{ ids: ['a'] }, { ids: ['b', 'a'] }, { ids: ['c'] }], [], newIds());
    expect(threadIds).toEqual(['new-1', 'new-1', 'new-2']);
  });

  it('every id that is named is linked, also that of a message which is not here', () => {
    const { newLinks } = resolveThreads([{ ids: ['b', 'a'] }], [], newIds());
    expect(newLinks).toEqual([
      { messageId: 'b', threadId: 'new-1' },
      { messageId: 'a', threadId: 'new-1' },
    ]);
  });

  it('a question joins the thread of the answer that came first', () => {
    const links = [{ messageId: 'question', threadId: 't1' }];
    expect(resolveThreads([{ ids: ['question'] }], links, newIds())).toEqual({
      threadIds: ['t1'],
      newLinks: [],
      merged: new Map(),
    });
  });

  it('a message that names two threads makes them one, always the same one', () => {
    const links = [
      { messageId: 'a', threadId: 't2' },
      { messageId: 'b', threadId: 't1' },
    ];
    const { threadIds, merged } = resolveThreads([{ ids: ['c', 'a', 'b'] }], links, newIds());
    expect(threadIds).toEqual(['t1']);
    expect(merged).toEqual(new Map([['t2', 't1']]));
  });

  it('a message without any id is alone', () => {
    const { threadIds, newLinks } = resolveThreads([{ ids: [] }, { ids: [] }], [], newIds());
    expect(threadIds).toEqual(['new-1', 'new-2']);
    expect(newLinks).toEqual([]);
  });

  it('loops and a chain of 10,000 are nothing special', () => {
    const loop = resolveThreads([{ ids: ['a', 'b'] }, { ids: ['b', 'a'] }, { ids: ['c', 'c'] }], [], newIds());
    expect(loop.threadIds).toEqual(['new-1', 'new-1', 'new-2']);
    const chain = Array.from({ length: 10_000 }, (_, n) => ({ ids: [`m${n + 1}`, `m${n}`] }));
    expect(new Set(resolveThreads(chain.toReversed(), [], newIds()).threadIds).size).toBe(1);
  });
});
