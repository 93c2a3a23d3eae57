import { it } from '@jest/globals';
import { freshDatabaseUri } from '../support/database.ts';
import { skipAloud } from '../support/skips.ts';
import { MIRROR_SIZE } from './mirror/play.ts';
import { playInWorld } from './mirror/play-in-world.ts';
import { openEngineWorld } from './mirror/worlds.ts';

const { KAFKA_BROKERS, MONGODB_URI } = process.env;
const isGiven = Boolean(KAFKA_BROKERS && MONGODB_URI);
if (!isGiven) skipAloud('a mirror on real engines: KAFKA_BROKERS and MONGODB_URI are not given');

(isGiven ? it : it.skip)(
  `a mirror on real engines equals the listing, with each service killed for itself, seed ${MIRROR_SIZE.seed}`,
  () => playInWorld((keys) => openEngineWorld(freshDatabaseUri(), KAFKA_BROKERS ?? '', keys)),
  7_200_000,
);
