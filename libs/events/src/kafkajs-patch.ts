/** The part of kafkajs's request queue that is mended here. */
interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

const SHORTEST_WAIT_MS = 10;
let mended = false;

/**
 * kafkajs 2.2.4 looks at its queue of waiting requests by a timer that it sets again whether or not anything waits, and
 * with a negative time: thousands of wake-ups a second on idle connections, and a warning from Node 24 on (tulios/kafkajs
 * 1751). Nothing needs looking at while nothing waits, because whatever is put in line sets the timer itself.
 */
export function mendRequestQueue(): void {
  if (mended) return;
  mended = true;
  // eslint-disable-next-line -- the file is not part of kafkajs's public interface, so there is no import of it
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const wait = Math.max(SHORTEST_WAIT_MS, this.throttledUntil - Date.now());
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, wait);
  };
}
