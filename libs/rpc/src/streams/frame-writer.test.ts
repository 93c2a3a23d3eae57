import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { NOTHING, type OutgoingFrame } from './frame.ts';
import { frameWriter } from './frame-writer.ts';

type Head = number;
/** Frames are sent in the first of the two. */
const nextIterations = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Takes one message, and the next only when told. */
function slowPeer() {
  const messages: Head[][] = [];
  let take: () => void = () => {};
  const stream = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write: (frames: OutgoingFrame<Head>[], _encoding, done) => {
      messages.push(frames.map(({ head }) => head));
      take = done;
    },
  });
  return { stream, messages, take: () => take() };
}

describe('a frame writer', () => {
  it('sends all frames of one iteration of the event loop as one message', async () => {
    const { stream, messages } = slowPeer();
    const writer = frameWriter<Head>(stream);
    for (const head of [1, 2, 3]) writer.write(head, NOTHING);
    await nextIterations();
    expect(messages).toEqual([[1, 2, 3]]);
  });

  it('sends large ones by themselves', async () => {
    const { stream, messages, take } = slowPeer();
    const writer = frameWriter<Head>(stream);
    for (const head of [1, 2]) writer.write(head, [Buffer.alloc(100_000)]);
    await nextIterations();
    take();
    await nextIterations();
    expect(messages).toEqual([[1], [2]]);
  });

  it('keeps what the other end does not take, and leaves out what is not wanted by then', async () => {
    const { stream, messages, take } = slowPeer();
    const writer = frameWriter<Head>(stream);
    writer.write(1, NOTHING);
    await nextIterations();
    expect(writer.isFull()).toBe(true);
    let isWanted = true;
    writer.write(2, NOTHING, () => isWanted);
    writer.write(3, NOTHING);
    isWanted = false;
    await nextIterations();
    expect(messages).toEqual([[1]]);
    take();
    await nextIterations();
    expect(messages).toEqual([[1], [3]]);
  });

  it('ends the stream after the last frame', async () => {
    const { stream, messages, take } = slowPeer();
    const writer = frameWriter<Head>(stream);
    writer.write(1, NOTHING);
    writer.end();
    await nextIterations();
    take();
    await nextIterations();
    expect(messages).toEqual([[1]]);
    expect(stream.writableFinished).toBe(true);
  });

  it('says nothing to a stream that is gone', async () => {
    const { stream, messages } = slowPeer();
    const writer = frameWriter<Head>(stream);
    stream.destroy();
    writer.write(1, NOTHING);
    await nextIterations();
    expect(messages).toEqual([]);
  });
});
