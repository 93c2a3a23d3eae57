import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { ForwardEmailRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import type { Deps } from '../deps.ts';
import { forwardHandlers } from './forwards.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';

const source = {
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  folderType: 'INBOX',
  messageId: '<1@far.example>',
  references: ['<0@far.example>'],
  from: { email: 'zoe@far.example', name: 'Zoe' },
  to: [],
  cc: [],
  subject: 'Invoice 7',
  date: new Date(0),
  hasAttachments: false,
  place: { folder: 'INBOX', uid: 7 } as object | null,
};
const mailbox = { _id: 'mbx_1', email: 'ann@acme.example', name: null, status: 'active', aliases: [] };
const call = { workspaceId: 'w', operationId: 'forward:afr_1:eml_1', remainingMs: () => 10_000 } as unknown as Call;

/** An email whose body is kept here no more, and its provider. */
function world({
  place: location = source.place,
  status = 'active',
  isOwn = false,
  folderType = 'INBOX' as string | null,
  fetched = async () => ({ html: undefined, text: 'please pay' }),
} = {}) {
  const { sends, all } = memorySends();
  const asked: unknown[] = [];
  const deps = {
    sends,
    mailReader: {
      source: async () => (folderType === null ? null : { ...source, folderType, place: location }),
      mailboxAndReach: async () => ({ mailbox: { ...mailbox, status }, isOwn }),
      body: async () => null,
    },
    mailboxSync: { fetchBody: async (which: object) => (asked.push(which), fetched()) },
    sender: { wake: () => undefined },
    context: { clock: manualClock() },
  } as unknown as Deps;
  const request = { emailId: 'eml_1', ruleId: 'afr_1', forwardTo: 'books@other.example', mode: 'normal' };
  const forward = (other: object = {}) =>
    forwardHandlers(deps).forwardEmail(ForwardEmailRequest.create({ ...request, ...other }), call);
  return {
    forward,
    asked,
    all,
    move: (to: string) => void (folderType = to),
    sent: () => [...all.values()].map(({ wire }) => wire?.toString()),
  };
}

describe('an email that a rule forwards, and whose body is not kept here', () => {
  it('goes out with the body that its provider has, and is asked for once', async () => {
    const { forward, asked, sent } = world();
    expect([await forward(), await forward()]).toEqual([{ status: 'queued' }, { status: 'queued' }]);
    expect(asked).toEqual([{ mailboxId: 'mbx_1', emailId: 'eml_1' }]);
    expect(sent()).toEqual([expect.stringContaining('please pay')]);
  });

  it.each(['TRASH', 'SPAM', 'OTHER', null])('goes nowhere where it is in %s by now', async (folderType) => {
    const { forward, asked, sent } = world({ folderType });
    expect(await forward()).toEqual({ status: 'left' });
    expect([asked, sent()]).toEqual([[], []]);
  });

  it('has one forward although it has left the inbox before the repeat', async () => {
    const inInbox = world();
    await inInbox.forward();
    inInbox.move('TRASH');
    expect(await inInbox.forward()).toEqual({ status: 'queued' });
  });

  it('waits for its provider, and leaves nothing half done', async () => {
    let isThere = false;
    const fetched = async () => {
      if (!isThere) throw new ApiError('QUERY_TIMEOUT');
      return { html: undefined, text: 'please pay' };
    };
    const { forward, sent } = world({ fetched });
    await expect(forward()).rejects.toThrow();
    expect(sent()).toEqual([]);
    isThere = true;
    await forward();
    expect(sent()).toEqual([expect.stringContaining('please pay')]);
  });

  it('goes out without one where its provider knows it no more than we do', async () => {
    const { forward, asked, sent } = world({ place: null });
    await forward();
    expect(asked).toEqual([]);
    expect(sent()).toEqual([expect.stringContaining('Subject: Fwd: Invoice 7')]);
  });
});

describe('an email that a rule forwards', () => {
  it('is kept with whose it is: its rule, its mode, its email and the one whom it goes to', async () => {
    const { forward, all } = world();
    await forward({ mode: 'invisible' });
    const about = { kind: 'forward', ruleId: 'afr_1', mode: 'invisible', sourceEmailId: 'eml_1', mailboxId: 'mbx_1' };
    expect([...all.values()]).toMatchObject([{ ...about, from: 'ann@acme.example', to: ['books@other.example'] }]);
  });

  it('stands in the conversation of the original, unless nobody is to see that it was forwarded', async () => {
    const [normal, invisible] = [world(), world()];
    await normal.forward();
    await invisible.forward({ mode: 'invisible' });
    expect(normal.sent()[0]).toMatch(/^References: <0@far.example>\s+<1@far.example>\r$/m);
    expect(invisible.sent()[0]).not.toMatch(/^References:/m);
    expect(normal.sent()[0]).not.toMatch(/^Reply-To:/m);
    expect(invisible.sent()[0]).toMatch(/^Reply-To: "?Zoe"? <zoe@far.example>\r$/m);
  });

  it('is skipped to an address of the workspace itself, and nothing is kept', async () => {
    const { forward, all } = world({ isOwn: true });
    expect(await forward()).toMatchObject({ status: 'skipped' });
    expect(all.size).toBe(0);
  });

  it('is skipped where it was forwarded from here and came back, and nothing is kept', async () => {
    const { forward, all } = world();
    all.set('snd_before', { kind: 'forward', messageId: source.messageId } as never);
    expect(await forward()).toMatchObject({ status: 'skipped' });
    expect([...all.keys()]).toEqual(['snd_before']);
  });

  it.each([
    ['MAILBOX_INACTIVE where its mailbox is disconnected', { status: 'off' }, {}, 'MAILBOX_INACTIVE'],
    ['VALIDATION_FAILED to more than one address', {}, { forwardTo: 'a@x.example, b@x.example' }, 'VALIDATION_FAILED'],
    ['VALIDATION_FAILED in a mode that there is not', {}, { mode: 'loud' }, 'VALIDATION_FAILED'],
  ])('is refused with %s, and nothing is kept', async (_why, parts, request, code) => {
    const { forward, all } = world(parts);
    await expect(forward(request)).rejects.toMatchObject({ code });
    expect(all.size).toBe(0);
  });
});
