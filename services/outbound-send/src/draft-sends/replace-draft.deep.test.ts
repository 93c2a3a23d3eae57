import { expect, it } from '@jest/globals';
import { interleave, ordersOfTwo } from '../../../../test/support/interleavings.ts';
import { draftWorld as world, endOf } from '../../../../test/support/draft-work.ts';

/** Of all orders, one out of so many is tried. */
const STEP = process.env['POSTROOM_FULL'] ? 1 : 4;

it('an edit that was refused beside another edit or a send is refused again when it is repeated', async () => {
  for (const other of ['edit', 'send', 'discard'] as const) {
    const play = async (schedule: (n: number) => number) => {
      const here = await world({ isReply: false });
      const ends: string[] = [];
      const calls = await interleave(
        [
          async (at) => void (ends[0] = await endOf(here.process(at).edit('Mine.'))),
          async (at) => void (ends[1] = await endOf(here.process(at)[other]())),
        ],
        schedule,
      );
      await here.workAllOff();
      return { ...here, calls, ends };
    };
    const { calls } = await play((n) => n % 2);
    for (const [n, schedule] of [...ordersOfTwo(calls)].entries()) {
      if (n % STEP !== 0) continue;
      const { calm, ends, kept, delivered } = await play(schedule);
      const again = [await endOf(calm.edit('Mine.')), other === 'edit' ? await endOf(calm.edit()) : ends[1]];
      const isDone = ends.map((end) => end === 'done');
      expect([other, ends, again.map((end) => end === 'done')]).toEqual([other, ends, isDone]);
      if (other !== 'discard') expect([other, ends, isDone.filter(Boolean).length <= 1]).toEqual([other, ends, true]);
      expect([kept.length <= 2, delivered.length <= 1]).toEqual([true, true]);
    }
  }
});
