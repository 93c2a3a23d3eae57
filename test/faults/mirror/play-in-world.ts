import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { mailServer } from '../../engines/support/mail-server.ts';
import { arrivingByIngest, arrivingByServer } from './arriving.ts';
import { MIRROR_SIZE, playMirror } from './play.ts';

const { IMAP_ADDR, SMTP_ADDR, MAIL_CONTROL } = process.env;

/** Mail arrives over the mail servers that are given, or else by ingest. */
export async function playInWorld(open: (keys: string) => Promise<Parameters<typeof playMirror>[0]>): Promise<void> {
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  const world = await open(keys);
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
}
