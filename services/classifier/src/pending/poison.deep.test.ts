import { describe, expect, it } from '@jest/globals';
import { FAULTS, harmOf } from './poison.test-support.ts';

describe.each(Object.entries(FAULTS))('mail of one workspace on which the model %s', (_which, fault) => {
  it.each([process.env['POSTROOM_FULL'] ? 400 : 120])(
    '%d: others are classified as fast as without it, each ends in quarantine in 15 minutes',
    async (poisons) => {
      expect(await harmOf(fault, poisons)).toEqual([]);
    },
    // The clock is virtual and the work is not: on a machine with much else to do it takes more than a minute.
  );
});
