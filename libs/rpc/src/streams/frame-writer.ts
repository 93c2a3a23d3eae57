import type { Writable } from 'node:stream';
import { lengthOf, type OutgoingFrame } from './frame.ts';

export interface FrameWriter<Head> {
  /** Sends the frame together with others of the same loop iteration. A frame that was canceled by then is left out. */
  write(head: Head, pieces: readonly Uint8Array[], isWanted?: () => boolean): void;
  /** Whether the other end takes less than is sent. */
  isFull(): boolean;
  /** Closes after the waiting frames. */
  end(): void;
}

interface Waiting<Head> extends OutgoingFrame<Head> {
  isWanted?: (() => boolean) | undefined;
}

/** Small frames travel together up to this size; beyond it joining them costs more than a message does. */
const MESSAGE_BYTES = 65_536;

/**
 * Joins the frames of one loop iteration into one gRPC message, because a message costs gRPC more than its content. While
 * the other end is slow, frames wait here, where they can still be dropped.
 */
export function frameWriter<Head>(stream: Writable): FrameWriter<Head> {
  const waiting: Waiting<Head>[] = [];
  let state: 'idle' | 'scheduled' | 'full' = 'idle';
  let isEnding = false;

  const nextMessage = (): OutgoingFrame<Head>[] => {
    const message: OutgoingFrame<Head>[] = [];
    for (let bytes = 0; bytes < MESSAGE_BYTES;) {
      const frame = waiting.shift();
      if (!frame) break;
      if (frame.isWanted && !frame.isWanted()) continue;
      message.push(frame);
      bytes += lengthOf(frame.pieces);
    }
    return message;
  };
  const flush = () => {
    if (!stream.writable) waiting.length = 0;
    let takesMore = true;
    while (takesMore && waiting.length > 0) {
      const message = nextMessage();
      if (message.length > 0) takesMore = stream.write(message);
    }
    state = takesMore ? 'idle' : 'full';
    if (isEnding && waiting.length === 0) stream.end();
  };
  const schedule = () => {
    if (state !== 'idle') return;
    state = 'scheduled';
    setImmediate(flush);
  };
  stream.on('drain', flush);

  return {
    write: (head, pieces, isWanted) => {
      waiting.push({ head, pieces, isWanted });
      schedule();
    },
    isFull: () => state === 'full',
    end: () => {
      isEnding = true;
      schedule();
    },
  };
}
