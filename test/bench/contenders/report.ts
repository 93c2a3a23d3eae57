/** Tells the bench that this program is ready, and what it has used whenever asked; ends when the bench does. */
export function announce(ready: Record<string, string>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
}

/** An argument: the program's heap grows as Node has it, and not as the services let it. */
export const USUAL_HEAP = '--usual-heap';
