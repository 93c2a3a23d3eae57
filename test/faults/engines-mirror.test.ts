import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { mailServer } from '../engines/support/mail-server.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { skipAloud } from '../support/skips.ts';
import { arrivingByIngest, arrivingByServer } from './mirror/arriving.ts';
import { MIRROR_SIZE, playMirror } from './mirror/play.ts';
import { openEngineWorld } from './mirror/worlds.ts';

const { KAFKA_BROKERS, MONGODB_URI, IMAP_ADDR, SMTP_ADDR, MAIL_CONTROL } = process.env;
const isGiven = Boolean(KAFKA_BROKERS && MONGODB_URI);
if (!isGiven) skipAloud('a mirror on real engines: KAFKA_BROKERS and MONGODB_URI are not given');

(isGiven ? it : it.skip)(
  `a mirror on real engines equals the listing, with each service killed for itself, seed ${MIRROR_SIZE.seed}`,
  async () => {
    const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
    await makeFirstKey(keys, '2026-01-01');
    const world = await openEngineWorld(freshDatabaseUri(), KAFKA_BROKERS ?? '', keys);
    try {
      await playMirror(
        world,
        (workspace) =>
          IMAP_ADDR && SMTP_ADDR && MAIL_CONTROL
            ? arrivingByServer(world, workspace, mailServer(IMAP_ADDR, MAIL_CONTROL), SMTP_ADDR)
            : arrivingByIngest(world, workspace),
        MIRROR_SIZE,
      );
    } finally {
      await world.close();
      await rm(keys, { recursive: true });
    }
  },
  7_200_000,
);
