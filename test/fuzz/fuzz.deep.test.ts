import { describe, expect } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { fuzz } from './fuzz.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_260_301);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? (process.env.POSTROOM_FULL ? 20_000 : 1_500));

describe('any calls in any order', () => {
  whenDatabaseHas('projections', 'expressions')(
    'is answered as described and as a small reference of the resources foresees; the accounts add up, pages lose and repeat nothing',
    async () => {
      const { failure, ...figures } = await fuzz({ seed: SEED, requests: REQUESTS, shrinkMs: 60_000 });
      console.log(`fuzz ${JSON.stringify(figures)}`);
      expect(failure).toBeUndefined();
      expect(figures.requests).toBeGreaterThanOrEqual(REQUESTS);
    },
  );
});
