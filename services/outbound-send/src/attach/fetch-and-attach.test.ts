import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { Forwarded } from './original-store.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { createAttaching } from './fetch-and-attach.ts';

const MEGABYTE = 1024 * 1024;
const RAW = Buffer.from('Subject: x\r\nContent-Type: text/csv; name=a.csv\r\n\r\n1;2');
const email: Forwarded = {
  _id: 'eml_1',
  mailboxId: 'm',
  attachments: [{ filename: 'a.csv', size: 3, mimeType: 'text/csv' }],
};
const location = { folderId: 'f', uidValidity: 1, uid: 1 };
const sized = (size: number) => ({ ...email, attachments: [{ filename: 'a', size, mimeType: 'text/csv' }] });

interface World {
  email: Forwarded | null;
  kept?: Buffer | null;
  fetched?: () => Promise<{ raw: Buffer; isWhole: boolean }>;
}

function attaching({ email: found, kept = RAW, fetched }: World, limit = 100 * MEGABYTE) {
  const clock = manualClock();
  const now = clock.date();
  return createAttaching({
    originals: { email: async () => found, message: async () => kept },
    mailboxSync: { fetchRaw: fetched ?? (() => Promise.reject(new Error('there is no provider to ask'))) },
    bytes: createBytesInFlight(limit),
    context: { clock, log: silentLog },
  })({ ...memorySends().make('forward', now, now), sourceEmailId: 'eml_1', attaches: true });
}
const wireOf = async (world: World) => {
  const whole = await attaching(world);
  return 'wire' in whole ? whole.wire.toString() : whole;
};

describe('an attachment of a forward', () => {
  it('is taken from where it is kept, or fetched from the provider that keeps it', async () => {
    expect(await wireOf({ email })).toContain('1;2');
    const fetched = async () => ({ raw: RAW, isWhole: true });
    expect(await wireOf({ email: { ...email, place: location }, kept: null, fetched })).toContain('1;2');
  });

  it('is waited for while the provider is unavailable, or has it elsewhere', async () => {
    for (const code of ['INTERNAL_ERROR', 'QUERY_TIMEOUT', 'NOT_FOUND'] as const) {
      const fetched = () => Promise.reject(new ApiError(code));
      expect(await wireOf({ email: { ...email, place: location }, fetched })).toMatchObject({ isFinal: false });
    }
  });

  it.each<[string, World, string]>([
    ['its email is gone', { email: null }, 'is gone'],
    ['it is not kept any more', { email, kept: null }, 'not kept any more'],
    ['it is larger than what goes out', { email: sized(26 * MEGABYTE) }, 'larger than 25 megabytes'],
    ['it was too large to be kept', { email: sized(20 * MEGABYTE), kept: null }, 'larger than 25 megabytes'],
    [
      'it was not fetched whole',
      { email: { ...email, place: location }, fetched: async () => ({ raw: RAW, isWhole: false }) },
      'larger than 25 megabytes',
    ],
    [
      'it cannot be taken apart',
      { email, kept: Buffer.from('no mail\r\n\r\n'.padStart(2_000_000, 'x')) },
      'taken over',
    ],
  ])('is given up where %s, with the reason', async (_why, world, reason) => {
    expect(await wireOf(world)).toEqual({ isFinal: true, reason: expect.stringContaining(reason) as unknown });
  });

  it('is in memory for as many at once as there is room for', async () => {
    const world = { email: sized(25 * MEGABYTE) };
    const limit = 140 * MEGABYTE;
    const bytes = createBytesInFlight(limit);
    const clock = manualClock();
    const attach = createAttaching({
      originals: { email: async () => world.email, message: async () => RAW },
      mailboxSync: { fetchRaw: () => Promise.reject(new Error('there is no provider to ask')) },
      bytes,
      context: { clock, log: silentLog },
    });
    const send = memorySends().make('forward', clock.date(), clock.date());
    let had = 0;
    const all = Array.from({ length: 4 }, async (_, at) => {
      const whole = await attach({ ...send, workspaceId: `wsp_${at}` });
      had += 1;
      return whole;
    });
    const [first, second] = await Promise.all(all.slice(0, 2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(had).toBe(2);
    for (const whole of [first, second]) if (whole && 'leave' in whole) whole.leave();
    await Promise.all(all);
    expect(had).toBe(4);
  });
});
