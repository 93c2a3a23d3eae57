import { describe } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';
import { hasHelm } from './helm.ts';

/** `describe` where there is a helm to render with; elsewhere a skip that says so. */
export const describeChart = hasHelm ? describe : describe.skip;
if (!hasHelm) skipAloud('the tests of the chart, because neither PATH nor npm has a helm for this platform');
