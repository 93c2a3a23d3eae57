import { describe } from '@jest/globals';
import { startStack } from '../support/stack.ts';
import { startEmbeddedEngine } from './support/embedded-engine.ts';
import { itOutlives, type World } from './support/outages.ts';
import { openWitness } from './support/witness.ts';

/** On every machine: no other server has to be there to see what becomes of callers when the database is not. */
describe('the embedded database goes away under load', () => {
  const seconds = { pause: 2, stop: 1, kill: 1 };
  itOutlives({ engine: 'embedded', promise: 'P10', isNoticed: true, mayForget: false, seconds, open: openWorld });
});

async function openWorld(): Promise<World> {
  const { uri, control, close: end } = await startEmbeddedEngine();
  const witness = await openWitness(undefined, '');
  const stack = await startStack({ mongodbUri: uri, bus: witness.bus, redisUrl: undefined, kafkaBrokers: undefined });
  const close = async () => {
    await stack.close();
    await witness.close();
    await end();
  };
  return { stack, witness, control, close };
}
