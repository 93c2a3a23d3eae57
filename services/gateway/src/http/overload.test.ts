import { afterEach, describe, expect, it } from '@jest/globals';
import { createOverload, type Overload } from './overload.ts';

const read = false;
const send = true;

describe('overload', () => {
  let overload: Overload;
  afterEach(() => overload.close());

  it('lets as many in as the bound says, and another when one leaves', () => {
    overload = createOverload({ maxInFlight: 2, maxLagMs: 60_000 });
    expect([overload.enter(read), overload.enter(read), overload.enter(read)]).toEqual([true, true, false]);
    overload.leave();
    expect(overload.enter(read)).toBe(true);
    expect(overload.inFlight).toBe(2);
  });

  it('turns sends away last', () => {
    overload = createOverload({ maxInFlight: 4, maxLagMs: 60_000 });
    for (let i = 0; i < 4; i++) overload.enter(read);
    expect(overload.enter(read)).toBe(false);
    expect(overload.enter(send)).toBe(true);
    expect(overload.enter(send)).toBe(false);
  });
});
