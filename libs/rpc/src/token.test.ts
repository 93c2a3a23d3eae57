import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { changesByHand } from '@postroom/runtime/changes-by-hand.test-support';
import { changingToken } from './token.ts';

const MINUTE = 60_000;

describe('a token whose file changes', () => {
  it('is accepted while callers and servers see the change up to two minutes apart, and the former one is refused afterwards', async () => {
    for (const [serverSees, callerSees] of [
      [0, 2 * MINUTE],
      [2 * MINUTE, 0],
    ] as const) {
      const clock = manualClock();
      const [atServer, atCaller] = [changesByHand(), changesByHand()];
      const server = changingToken('TOKEN', 'one', { changes: atServer.changes, clock });
      const caller = changingToken('TOKEN', 'one', { changes: atCaller.changes, clock });
      const brought = new Set<string>();
      for (let at = 0; at <= 8 * MINUTE; at += MINUTE / 2) {
        if (at === serverSees) await atServer.say('TOKEN', 'two');
        if (at === callerSees) await atCaller.say('TOKEN', 'two');
        brought.add(caller.toBring());
        expect(server.taken()).toContain(caller.toBring());
        await clock.advance(MINUTE / 2);
      }
      expect([...brought]).toEqual(['one', 'two']);
      expect(server.taken()).toEqual(['two']);
    }
  });

  it('opens at every moment when it changes again before everybody has seen the first change', async () => {
    for (const [serverLate, callerLate] of [
      [0, 2 * MINUTE],
      [2 * MINUTE, 0],
    ] as const) {
      const clock = manualClock();
      const [atServer, atCaller] = [changesByHand(), changesByHand()];
      const server = changingToken('TOKEN', 'one', { changes: atServer.changes, clock });
      const caller = changingToken('TOKEN', 'one', { changes: atCaller.changes, clock });
      for (let at = 0; at <= 10 * MINUTE; at += MINUTE / 2) {
        for (const [hand, late] of [
          [atServer, serverLate],
          [atCaller, callerLate],
        ] as const) {
          if (at === late) await hand.say('TOKEN', 'two');
          if (at === late + MINUTE) await hand.say('TOKEN', 'three');
        }
        expect(server.taken()).toContain(caller.toBring());
        await clock.advance(MINUTE / 2);
      }
      expect([server.taken(), caller.toBring()]).toEqual([['three'], 'three']);
    }
  });
});
