import { expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { Deps } from '../deps.ts';
import { fingerprintOf, sendIdOf } from '../new-send/new-send.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { sendHandlers } from './sends.ts';

const call = { workspaceId: 'wsp_1', operationId: 'op_1', remainingMs: () => 10_000 } as unknown as Call;
const request = ComposeRequest.create({ mailboxId: 'mbx_1' });
const fault = async () => Promise.reject(new Error('the connection to the database is gone'));

/** The same call again, when the message of the first may have gone out, and one step of it fails. */
async function again(state: SendDocument['state'], broken: { shown?: boolean; store?: 'find' | 'advance' }) {
  const { sends, make } = memorySends();
  const now = new Date();
  const fingerprint = fingerprintOf(ComposeRequest.encode(request).finish());
  await sends.insert('wsp_1', { ...make('send', now, now), _id: sendIdOf(call), state, fingerprint, emailId: 'eml_1' });
  const deps = {
    sends: broken.store ? { ...sends, [broken.store]: fault } : sends,
    mailReader: { shown: broken.shown ? fault : async () => null },
    sender: { wake: () => undefined },
    context: { clock: { date: () => now, now: () => now.getTime() } },
  } as unknown as Deps;
  return sendHandlers(deps).sendEmail(request, call);
}

it.each([
  ['is asked for', 'unknown', { store: 'find' }],
  ['is looked for again', 'unknown', { store: 'advance' }],
  ['is shown', 'recorded', { shown: true }],
] as const)(
  '408 QUERY_TIMEOUT, and never 500, when the database fails while an earlier message %s',
  (_what, state, broken) => expect(again(state, broken)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' }),
);

it('409 CONFLICT while it is unknown, and once the email is gone from the mailbox', async () => {
  await expect(again('unknown', {})).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(again('recorded', {})).rejects.toMatchObject({ code: 'CONFLICT' });
});
