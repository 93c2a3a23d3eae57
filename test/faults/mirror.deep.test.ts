import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { mailServer } from '../engines/support/mail-server.ts';
import { arrivingByIngest, arrivingByServer } from './mirror/arriving.ts';
import { MIRROR_SIZE, playMirror } from './mirror/play.ts';
import { openEmbeddedWorld } from './mirror/worlds.ts';

const { IMAP_ADDR, SMTP_ADDR, MAIL_CONTROL } = process.env;

it(`a mirror that lists once and applies the feed equals the listing, seed ${MIRROR_SIZE.seed}`, async () => {
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  const world = await openEmbeddedWorld(keys);
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
}, 7_200_000);
