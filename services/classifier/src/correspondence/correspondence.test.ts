import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { askedEmail } from '../classify/in-memory.test-support.ts';
import { createCorrespondence } from './correspondence.ts';
import type { MailboxOwner } from './owner-store.ts';

const ANN: MailboxOwner = {
  mailbox: {
    _id: 'mbx_1',
    email: 'ann@acme.example',
    name: 'Ann\u200b Lee',
    aliases: [
      { email: 'info@acme.example', name: 'Acme Chairs', verified: true },
      { email: 'desk@acme.example', name: null, verified: true },
    ],
  },
  signatures: [
    { isDefault: true, aliasEmail: null, mailboxId: null, html: '<p>Acme</p>' },
    { isDefault: true, aliasEmail: null, mailboxId: 'mbx_1', html: '<p>Ann<br>Acme<b style="display:none">x</b></p>' },
    { isDefault: true, aliasEmail: 'info@acme.example', mailboxId: null, html: '<p>Chairs</p>' },
  ],
};

function world(owner: MailboxOwner | null = ANN) {
  const clock = manualClock();
  const state = { reads: 0, owner, asked: [] as string[], fails: false };
  const store = {
    hasWrittenTo: async (_workspaceId: string, _mailboxId: string, address: string) => {
      state.asked.push(address);
      return true;
    },
    thread: async () => [],
    bodies: async function* () {},
  };
  const owners = {
    find: async () => {
      state.reads += 1;
      if (state.fails) throw new Error('away');
      return state.owner;
    },
  };
  return Object.assign(state, { clock, ...createCorrespondence(store, owners, clock) });
}

describe('the person who answers', () => {
  const to = (email: string) => askedEmail({ to: [{ email, name: null }] });

  it.each([
    ['the mailbox', 'ann@acme.example', { name: 'Ann Lee', signature: 'Ann\nAcme' }],
    ['an alias', 'INFO@acme.example', { name: 'Acme Chairs', signature: 'Chairs' }],
    ['an alias without a name', 'desk@acme.example', { name: 'Ann Lee', signature: 'Ann\nAcme' }],
    ['nobody here', 'list@other.example', { name: 'Ann Lee', signature: 'Ann\nAcme' }],
  ])('has the name and signature of the address that the email names: %s', async (_what, address, owner) => {
    expect((await world().contextOf('wsp_1', to(address))).owner).toEqual(owner);
  });

  it('has neither where there is none, and where the mailbox is gone', async () => {
    const nameless = { mailbox: { ...ANN.mailbox, name: null }, signatures: [] };
    for (const owner of [nameless, null])
      expect((await world(owner).contextOf('wsp_1', askedEmail())).owner).toEqual({ name: null, signature: null });
  });

  it('is bounded in each piece', async () => {
    const long = '"'.repeat(50_000);
    const signatures = [{ isDefault: true, aliasEmail: null, mailboxId: null, html: `<p>${long}</p>` }];
    const { owner } = await world({ mailbox: { ...ANN.mailbox, name: long }, signatures }).contextOf(
      'wsp_1',
      askedEmail(),
    );
    expect(Buffer.byteLength(JSON.stringify(owner))).toBeLessThanOrEqual(2_600);
  });

  it('is read once in a minute, and again after a failure', async () => {
    const one = world();
    await Promise.all([one.contextOf('wsp_1', askedEmail()), one.contextOf('wsp_1', askedEmail())]);
    await one.clock.advance(59_999);
    await one.contextOf('wsp_1', askedEmail());
    expect(one.reads).toBe(1);
    await one.clock.advance(1);
    one.fails = true;
    await expect(one.contextOf('wsp_1', askedEmail())).rejects.toThrow('away');
    one.fails = false;
    await one.contextOf('wsp_1', askedEmail());
    expect(one.reads).toBe(3);
    await one.contextOf('wsp_2', askedEmail());
    expect(one.reads).toBe(4);
  });
});

it('a sender that fails DMARC is not the one that the mailbox wrote to', async () => {
  const one = world();
  expect(await one.hasWrittenToSender('wsp_1', askedEmail())).toBe(true);
  expect(await one.hasWrittenToSender('wsp_1', askedEmail({ failsDmarc: true }))).toBe(false);
  expect(one.asked).toEqual(['bob@other.example']);
});
