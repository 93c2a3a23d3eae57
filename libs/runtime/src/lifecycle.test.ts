import { describe, expect, it } from '@jest/globals';
import { createLifecycle } from './lifecycle.ts';
import { silentLog } from './log.ts';

describe('the lifecycle', () => {
  it('closes what was opened last first, one after the other', async () => {
    const lifecycle = createLifecycle(silentLog);
    const order: string[] = [];
    for (const name of ['database', 'bus', 'server']) {
      lifecycle.add(name, async () => {
        order.push(`${name} closing`);
        await Promise.resolve();
        order.push(`${name} closed`);
      });
    }
    await lifecycle.close();
    expect(order).toEqual([
      'server closing',
      'server closed',
      'bus closing',
      'bus closed',
      'database closing',
      'database closed',
    ]);
  });

  it('closes everything else when one part throws, and when one never ends', async () => {
    const lifecycle = createLifecycle(silentLog, 20);
    const closed: string[] = [];
    lifecycle.add('first', () => closed.push('first'));
    lifecycle.add('hangs', () => new Promise(() => {}));
    lifecycle.add('throws', () => {
      throw new Error('no');
    });
    await lifecycle.close();
    expect(closed).toEqual(['first']);
  });

  it('closes once, however often it is asked', async () => {
    const lifecycle = createLifecycle(silentLog);
    let times = 0;
    lifecycle.add('part', () => (times += 1));
    await Promise.all([lifecycle.close(), lifecycle.close()]);
    await lifecycle.close();
    expect(times).toBe(1);
  });

  it('closes at once what is opened while everything closes', async () => {
    const lifecycle = createLifecycle(silentLog);
    const closed: string[] = [];
    lifecycle.add('first', () => lifecycle.add('late', () => closed.push('late')));
    await lifecycle.close();
    await lifecycle.close();
    expect(closed).toEqual(['late']);
  });
});
