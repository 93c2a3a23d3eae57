import { expect, it } from '@jest/globals';
import { createEndpointPools } from './endpoint-pools.ts';

const target = (n: number) => ({ host: `h${n}.hooks.test`, addresses: ['127.0.0.1'], port: 443 });

it('keeps the 512 pools that were used last, and closes the others', () => {
  const pools = createEndpointPools({ timeoutMs: 1_000 });
  const [first, second] = [0, 1].map((n) => pools.to(target(n), 'wsp_1'));
  for (let n = 2; n < 512; n += 1) pools.to(target(n), 'wsp_1');
  expect(pools.to(target(0), 'wsp_1')).toBe(first);

  pools.to(target(512), 'wsp_1');
  expect([first, second].map((one) => one?.pool.closed)).toEqual([false, true]);
  expect(pools.to(target(1), 'wsp_1')).not.toBe(second);
  pools.close();
});
