import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Call } from '@postroom/rpc/call';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { OriginalEmail } from './original-store.ts';
import { originalHandlers, type OriginalDeps } from './originals.ts';

const RAW = Buffer.from(
  'From: a@b.example\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment\r\n\r\nHello',
);
const call = { workspaceId: 'wsp_1', signal: new AbortController().signal, remainingMs: () => 10_000 } as Call;
const LISTED = { filename: 'a.txt', size: 5, mimeType: 'text/plain' };
const location = { folderId: 'fld_1', uidValidity: 1, uid: 1 };

let email: OriginalEmail;
let stored: Buffer | null;
let atProvider: { raw: Buffer; isWhole: boolean };
let entered: number[];

const handlers = () => {
  const bytes = createBytesInFlight(1_000_000_000);
  return originalHandlers({
    originals: {
      email: async (workspaceId, id) => (workspaceId === 'wsp_1' && id === email._id ? email : null),
      isStored: async () => stored !== null,
      message: async () => stored,
    },
    mailboxSync: { fetchRaw: async () => atProvider } as OriginalDeps['mailboxSync'],
    bytes: {
      enter: async (weight, owner, signal) => {
        entered.push(weight);
        const stay = await bytes.enter(weight, owner, signal);
        const leave = () => {
          entered.pop();
          stay.leave();
        };
        return { ...stay, leave };
      },
    },
  });
};
beforeEach(() => {
  email = { _id: 'eml_1', mailboxId: 'mbx_1', attachments: [LISTED] };
  stored = RAW;
  atProvider = { raw: RAW, isWhole: true };
  entered = [];
});
const attachment = (position = 0, of = call) => handlers().getAttachment({ emailId: 'eml_1', position }, of);

describe('the message of an email', () => {
  it('is kept by its provider, else by its stored copy for a while, else by nobody', async () => {
    const keptBy = async () => (await handlers().findOriginal({ emailId: 'eml_1' }, call)).keptBy;
    expect(await keptBy()).toBe('stored');
    stored = null;
    expect(await keptBy()).toBe('none');
    email = { ...email, place: location };
    expect(await keptBy()).toBe('provider');
  });

  it('EMAIL_NOT_FOUND for an email of another workspace, by each call', async () => {
    const foreign = { ...call, workspaceId: 'wsp_2' };
    const { findOriginal, getAttachment, getCarriedImages } = handlers();
    const calls = [
      findOriginal({ emailId: 'eml_1' }, foreign),
      getAttachment({ emailId: 'eml_1', position: 0 }, foreign),
      getCarriedImages({ emailId: 'eml_1', contentIds: ['a'] }, foreign),
    ];
    for (const one of calls) await expect(one).rejects.toMatchObject({ code: 'EMAIL_NOT_FOUND' });
  });
});

describe('an attachment', () => {
  it.each(['stored', 'provider'])('comes from where its message is kept: %s', async (keptBy) => {
    if (keptBy === 'provider') [email, stored] = [{ ...email, place: location }, null];
    expect(await attachment()).toEqual({ filename: 'a.txt', content: Buffer.from('Hello') });
    expect(entered).toEqual([]);
  });

  it.each<[string, string, () => void]>([
    ['the stored copy is gone', 'seven days', () => (stored = null)],
    [
      'the message is too large',
      '25 MB',
      () =>
        ([email, atProvider] = [
          { ...email, place: location },
          { raw: RAW, isWhole: false },
        ]),
    ],
    [
      'its name is another one',
      'no such attachment',
      () => (email = { ...email, attachments: [{ ...LISTED, filename: 'b' }] }),
    ],
    [
      'its type is another one',
      'no such attachment',
      () => (email = { ...email, attachments: [{ ...LISTED, mimeType: 'b/c' }] }),
    ],
    ['the email lists none', 'no such attachment', () => (email = { ...email, attachments: [] })],
    [
      'the message cannot be read',
      'cannot be taken apart',
      () => (stored = Buffer.from(`a: b\r\n${'x: y\r\n'.repeat(6_000)}`)),
    ],
  ])('NOT_FOUND, in words, where %s', async (_where, words, happen) => {
    happen();
    await expect(attachment()).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(words) });
    expect(entered).toEqual([]);
  });
});

it('no message is fetched for images where the email has no part or none is asked for', async () => {
  const images = (contentIds: string[]) => handlers().getCarriedImages({ emailId: 'eml_1', contentIds }, call);
  atProvider = undefined as never;
  email = { ...email, place: location };
  expect(await images([])).toEqual({ items: [] });
  email = { ...email, attachments: [] };
  expect(await images(['a'])).toEqual({ items: [] });
});
