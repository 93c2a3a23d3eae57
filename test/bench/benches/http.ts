import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { compare } from '../compare.ts';
import { httpContender } from '../http-contender.ts';

/** What Express costs the way the gateway hands it requests. */
export const http: Bench = {
  name: 'http',
  title: 'Express as the gateway uses it, against node:http and stock Express',
  run: async ({ rounds }, print) => {
    const children = await Promise.all(['our-http', 'our-http', 'bare-http', 'stock-express'].map((program) => startChild(program)));
    const names = ['our http', 'our http, again', 'bare node:http', 'stock express'];
    const [ours, oursAgain, bare, stock] = children.map((child, index) => httpContender(names[index] ?? '', child));
    try {
      if (!ours || !oursAgain || !bare || !stock) throw new Error('the bench has four contenders');
      return await compare('http', {
        ours,
        oursAgain,
        others: [bare, stock],
        targets: [
          { against: 'bare node:http', atMost: 1.25 },
          { against: 'stock express', atMost: 0.25 },
        ],
        count: 4_000,
        rounds,
      }, print);
    } finally {
      await Promise.all(children.map((child) => child.close()));
    }
  },
};
