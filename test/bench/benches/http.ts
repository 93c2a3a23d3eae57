import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { compare, type Contender } from '../compare.ts';
import { httpContender } from '../http-contender.ts';

/** Compares the cost of Express, used as the gateway uses it, with node:http and stock Express. */
export const http: Bench = {
  name: 'http',
  title: 'Express as the gateway uses it, against node:http and stock Express',
  run: async ({ effort }, print) => {
    const closing: (() => Promise<void>)[] = [];
    const contender = async (name: string, program: string, ...flags: string[]): Promise<Contender> => {
      const { ready, cpu, close } = await startChild(program, ...flags);
      closing.push(close);
      return httpContender(name, { url: ready.url ?? '' }, [cpu]);
    };
    try {
      const comparison = {
        ours: await contender('our http', 'our-http'),
        oursAgain: await contender('our http, again', 'our-http'),
        others: [
          await contender('bare node:http', 'bare-http'),
          await contender('prototypes put on each', 'our-http', '--put-on'),
          await contender('stock express', 'stock-express'),
        ],
        targets: [
          { against: 'bare node:http', atMost: 1.25 },
          { against: 'prototypes put on each', atMost: 0.7 },
          { against: 'stock express', atMost: 0.25 },
        ],
        count: 4_000,
        warmUp: 12_000,
        effort,
      };
      return await compare('http', comparison, print);
    } finally {
      await Promise.all(closing.map((close) => close()));
    }
  },
};
