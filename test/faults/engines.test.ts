import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';
import { startStack } from '../support/stack.ts';
import { controlOf, type EngineName } from './support/engines-control.ts';
import { itOutlives, type World } from './support/outages.ts';
import { openWitness } from './support/witness.ts';

const { ENGINES_CONTROL: command = '', KAFKA_BROKERS, MONGODB_URI, REDIS_URL } = process.env;
const short = { pause: 2, stop: 2, kill: 2 };

interface Given {
  engine: EngineName;
  address: string | undefined;
  promise: string;
  isNoticed: boolean;
  seconds: typeof short;
}

/** By the promise that each is about: the API without Redis, events without Kafka, time limits without the database. */
const engines: Given[] = [
  // The limits of each gateway stand in for Redis, and events wait in the database: nobody notices these two.
  { engine: 'redis', address: REDIS_URL, promise: 'P06', isNoticed: false, seconds: short },
  { engine: 'kafka', address: KAFKA_BROKERS, promise: 'P21', isNoticed: false, seconds: short },
  // Longer than any call may wait: past ten seconds they have to be answered all the same.
  { engine: 'mongo', address: MONGODB_URI, promise: 'P10', isNoticed: true, seconds: { ...short, pause: 11 } },
];

for (const { engine, address, ...outages } of engines) {
  const lacking = command ? !address && `no address of ${engine} is given` : 'ENGINES_CONTROL is not given';
  if (lacking) skipAloud(`${engine} stopped, killed and paused under load: ${lacking}`);
  (lacking ? describe.skip : describe)(`${engine} goes away under load`, () => {
    itOutlives({ engine, ...outages, mayForget: engine === 'mongo', open: () => openWorld(engine) });
  });
}

async function openWorld(engine: EngineName): Promise<World> {
  const prefix = `faults-${randomUUID().slice(0, 8)}.`;
  const witness = await openWitness(KAFKA_BROKERS?.split(','), prefix);
  const stack = await startStack({ bus: witness.bus, variables: { KAFKA_TOPIC_PREFIX: prefix } });
  const close = async () => {
    await stack.close();
    await witness.close();
  };
  return { stack, witness, control: controlOf(command, engine), close };
}
