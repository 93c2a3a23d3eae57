import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupThreads } from './thread-groups.ts';
import { answersOf, nodeName, tieOf, type ThreadNode, upToKnown } from './thread-node.ts';

const node = (messageId: string, answers: string[] = [], threadId = ''): ThreadNode => ({
  messageId,
  answers,
  threadId,
});
const threadsOf = (...nodes: ThreadNode[]) => {
  const threads = groupThreads(nodes, (name) => `new-${name}`);
  return nodes.map((one) => threads.get(one));
};

describe('the parent of a message', () => {
  const message = { messageId: 'm', inReplyTo: 'parent', references: ['root', 'm', 'parent', 'other'] };

  it('is In-Reply-To first, then the references from the last, each once, itself never', () => {
    expect(answersOf(message, false)).toEqual(['parent', 'other', 'root']);
  });

  it('ends, in a conversation without end, with its first message', () => {
    const names = answersOf({ ...message, references: Array.from({ length: 500 }, (_, n) => `r${n}`) }, false);
    expect([names.length, names[1], names.at(-2), names.at(-1)]).toEqual([100, 'r499', 'r402', 'r0']);
  });

  it('of mail in Spam is under a name that nothing can refer to, and ends with itself', () => {
    expect(nodeName('m', 'eml_1', true)).toBe('spam:eml_1');
    expect(answersOf({ ...message, references: [] }, true)).toEqual(['parent', 'm']);
  });

  it('matters up to the first that is known', () => {
    expect(upToKnown(['a', 'b', 'c'], (name) => name === 'b')).toEqual(['a', 'b']);
    expect(upToKnown(['a', 'b'], () => false)).toEqual(['a', 'b']);
  });

  it('ties it to the nearest that is known, else to the nearest', () => {
    expect(tieOf(node('m', ['a', 'b']), (name) => name === 'b')).toBe('b');
    expect(tieOf(node('m', ['a', 'b']), () => false)).toBe('a');
    expect(tieOf(node('spam:m', ['a', 'm']), () => false)).toBe('m');
    expect(tieOf(node('m'), () => true)).toBeNull();
  });
});

describe('threads', () => {
  it('one that is in one group keeps its id; of several that meet the smallest stays', () => {
    expect(threadsOf(node('a', [], 't2'), node('b', ['a'], 't1'), node('c', ['b']))).toEqual(['t1', 't1', 't1']);
  });

  it('one that is divided keeps its id in one part', () => {
    expect(threadsOf(node('a', [], 't1'), node('b', ['z'], 't1'), node('z', [], 't0'))).toEqual(['t1', 't0', 't0']);
    expect(threadsOf(node('a', [], 't1'), node('b', [], 't1'))).toEqual(['t1', 'new-b']);
  });

  it('an id that is in use is not given to a new one', () => {
    expect(threadsOf(node('a', [], 'new-b'), node('b', [], 'new-b'), node('c', [], 'new-b+'))).toEqual([
      'new-b',
      'new-b++',
      'new-b+',
    ]);
  });

  it('from before answers were kept stay as they are, and grow', () => {
    const old: ThreadNode[] = [
      { messageId: 'a', threadId: 't1' },
      { messageId: 'b', threadId: 't1' },
    ];
    expect(threadsOf(...old, node('c', ['b']))).toEqual(['t1', 't1', 't1']);
  });

  it('no message ties more than one group to its own, whatever it names', () => {
    const name = fc.constantFrom(...'abcdefgh');
    const message = fc.tuple(name, fc.array(name, { maxLength: 5 }));
    fc.assert(
      fc.property(fc.uniqueArray(message, { selector: ([id]) => id, maxLength: 8 }), message, (drawn, [, names]) => {
        const nodes = drawn.map(([id, answers]) =>
          node(
            id,
            answers.filter((other) => other !== id),
          ),
        );
        const count = (list: ThreadNode[]) => new Set(groupThreads(list, (id) => `new-${id}`).values()).size;
        // The one that comes is named by nobody.
        expect(count([...nodes, node('x', names)])).toBeGreaterThanOrEqual(count(nodes));
      }),
    );
  });
});
