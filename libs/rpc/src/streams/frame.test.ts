import { describe, expect, it } from '@jest/globals';
import { fromBytes, NOTHING, toBytes, type RequestHead } from './frame.ts';

describe('frames', () => {
  it('come back as they were, many in one message', () => {
    const frames = [
      { head: { id: 1, path: '/a.B/C', requestId: 'größer 👍' }, pieces: [Buffer.from('by'), Buffer.from('tes')] },
      { head: { id: 2 }, pieces: NOTHING },
      { head: { id: 4_000_000_000 }, pieces: [Buffer.alloc(100_000, 7)] },
    ];
    const expected = frames.map(({ head, pieces }) => ({ head, body: Buffer.concat(pieces) }));
    expect(fromBytes<RequestHead>(toBytes(frames))).toEqual(expected);
  });

  it('are none in no bytes', () => {
    expect(fromBytes(toBytes([]))).toEqual([]);
  });
});
