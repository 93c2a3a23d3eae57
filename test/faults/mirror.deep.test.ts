import { it } from '@jest/globals';
import { MIRROR_SIZE } from './mirror/play.ts';
import { playInWorld } from './mirror/play-in-world.ts';
import { openEmbeddedWorld } from './mirror/worlds.ts';

it(`a mirror that lists once and applies the feed equals the listing, seed ${MIRROR_SIZE.seed}`, async () => {
  await playInWorld(openEmbeddedWorld);
}, 7_200_000);
