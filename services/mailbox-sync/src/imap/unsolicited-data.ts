import type { Socket } from 'node:net';
import type { ImapFlow } from 'imapflow';
import type { Clock } from '@postroom/runtime/clock';
import { saidTooMuch } from './imap-fault.ts';

/** The bytes that a provider may send while nothing is asked of it: at once, and a second on average. */
const BURST = 256 * 1024;
const PER_SECOND = 1024;
/** A long line costs more than its bytes, because nothing else runs while it is parsed. */
const LONGEST_LINE = 64 * 1024;
const LF = 0x0a;

/** Fields of the library that its types leave out. */
type WithSocket = ImapFlow & { socket?: Pick<Socket, 'prependListener' | 'off'> | false };

/** Closes a connection that receives more than a change in a folder can explain, before it is parsed. */
export function createUnsolicitedData(client: ImapFlow, clock: Clock) {
  let credit = BURST;
  let filledAt = clock.now();
  let line = 0;
  const take = (chunk: Buffer): void => {
    const now = clock.now();
    credit = Math.min(BURST, credit + ((now - filledAt) / 1_000) * PER_SECOND) - chunk.length;
    filledAt = now;
    const end = chunk.lastIndexOf(LF);
    line = end === -1 ? line + chunk.length : chunk.length - end - 1;
    if (credit >= 0 && line <= LONGEST_LINE) return;
    client.emit('error', saidTooMuch());
    client.close();
  };
  const socketOf = ({ socket }: WithSocket) => socket || undefined;
  const pause = () => void socketOf(client)?.off('data', take);
  return {
    /** From now on, until `pause`. */
    watch: (): void => {
      pause();
      line = 0;
      socketOf(client)?.prependListener('data', take);
    },
    pause,
  };
}
