import type { Child } from './child.ts';
import type { Contender } from './compare.ts';
import { createLoad } from './load.ts';

/** A program that serves one address: it is asked, and its processor time is read before and after. */
export function httpContender(name: string, child: Child): Contender {
  const load = createLoad({ url: child.ready.url ?? '' });
  return {
    name,
    run: async (count) => {
      const before = await child.cpu();
      await load(count);
      return (await child.cpu()) - before;
    },
  };
}
