import { createFairLimit } from '@postroom/runtime/fair-limit';

/** Text is converted and encoded on the event loop: of a process, not of a service object. */
const limit = createFairLimit({ total: 1 });

/**
 * Does one piece of such work after the other, in rotation between workspaces, and lets the event loop turn before each:
 * a workspace that asks for much waits behind itself.
 */
export function inFairOrder<T>(workspaceId: string, work: () => T | Promise<T>): Promise<T> {
  return limit.run(workspaceId, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return work();
  });
}
