import { createFairLimit } from '@postroom/runtime/fair-limit';

/** Text is converted and encoded on the event loop: of a process, not of a service object. */
const limit = createFairLimit({ total: 1 });

/**
 * Runs one piece of work at a time, in rotation between workspaces, and yields to the event loop before each. A workspace
 * with much work delays only itself.
 */
export function inFairOrder<T>(workspaceId: string, work: () => T | Promise<T>): Promise<T> {
  return limit.run(workspaceId, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return work();
  });
}
