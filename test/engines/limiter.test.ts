import { describe } from '@jest/globals';
import { memoryLimiter } from '@postroom/limits/memory-limiter';
import { systemClock } from '@postroom/runtime/clock';
import { limiterContract } from './limiter-contract.ts';

describe('limits in one process', () => {
  const limiter = memoryLimiter(systemClock);
  limiterContract(() => [limiter, limiter]);
});
