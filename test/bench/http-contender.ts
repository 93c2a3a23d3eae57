import type { Contender } from './compare.ts';
import { createLoad, type Load } from './load.ts';

/** Something that serves one address: it is asked, and the processor time of all that takes part is read around it. */
export function httpContender(name: string, load: Load, meters: readonly (() => Promise<number>)[]): Contender {
  const ask = createLoad(load);
  const spent = async () => {
    let micros = 0;
    for (const meter of meters) micros += await meter();
    return micros;
  };
  return {
    name,
    run: async (count) => {
      const before = await spent();
      await ask(count);
      return (await spent()) - before;
    },
  };
}
