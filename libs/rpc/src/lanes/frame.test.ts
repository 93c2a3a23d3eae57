import { describe, expect, it } from '@jest/globals';
import { fromBytes, NO_BYTES, toBytes, type RequestHead } from './frame.ts';

describe('frames', () => {
  it('come back as they were, many in one message', () => {
    const frames = [
      { head: { id: 1, path: '/a.B/C', requestId: 'größer 👍' }, body: Buffer.from('bytes') },
      { head: { id: 2 }, body: NO_BYTES },
      { head: { id: 4_000_000_000 }, body: Buffer.alloc(100_000, 7) },
    ];
    expect(fromBytes<RequestHead>(toBytes(frames))).toEqual(frames);
  });

  it('are none in no bytes', () => {
    expect(fromBytes(toBytes([]))).toEqual([]);
  });
});
