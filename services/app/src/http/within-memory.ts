import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BytesInFlight, Stay } from '@postroom/runtime/bytes-in-flight';

/** A browser that takes nothing for so long loses the answer, because its bytes keep those of others waiting. */
const IDLE_MS = 30_000;

interface Held {
  memory: BytesInFlight;
  owner: string;
  weight: number;
  idleMs?: number;
}

/** Loads and sends a large answer once there is memory for it, and holds the memory until the browser has taken it or left. */
export async function sendWithinMemory(
  response: ServerResponse,
  { memory, owner, weight, idleMs = IDLE_MS }: Held,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort(new Error('the browser has left'));
  response.once('close', leave);
  let stay: Stay | undefined;
  try {
    stay = await memory.enter(weight, owner, left.signal);
    await send(left.signal);
    response.setTimeout(idleMs, () => response.destroy());
    if (!response.writableFinished && !response.destroyed)
      await Promise.race([once(response, 'finish'), once(response, 'close')]);
  } catch (error) {
    // Nobody waits for the answer of a browser that has left.
    if (!left.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
    stay?.leave();
  }
}
