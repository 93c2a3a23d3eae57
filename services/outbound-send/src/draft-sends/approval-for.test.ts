import { expect, it } from '@jest/globals';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { approvalFor } from './approval-for.ts';
import { operationOf } from './draft-operation.ts';
import type { DraftSendDeps, LoadedDraft } from './load-draft.ts';

const BOB = { email: 'bob@other.example', name: null };
const LOADED = {
  draft: { _id: 'eml_draft' },
  mailbox: { _id: 'm' },
  composition: {
    messageId: '<a@x>',
    date: new Date(),
    from: { email: 'ann@acme.example', name: null },
    to: [BOB],
    cc: [],
    bcc: [],
    subject: 'A',
    text: 'B',
    html: null,
    inReplyTo: null,
    references: [],
    headers: {},
    attachments: [],
  },
  fingerprint: 'f',
} as unknown as LoadedDraft;
const AGENT = { kind: 'grant', id: 'grt_1', name: 'Agent', personId: null } as const;

/** A client asks for an approval, and finds the send of another call of the same draft, which was stored meanwhile. */
async function askBeside(other: Partial<SendDocument>) {
  const clock = manualClock();
  const { sends, make } = memorySends();
  const call = { workspaceId: 'w' } as Call;
  const operation = operationOf('eml_draft', call);
  const send = { ...make('send', clock.date(), clock.date()), nextAt: null, ...other };
  await sends.insert('w', { ...send, _id: deterministicIdOf('snd', operation) });
  const deps = { sends, context: { clock, ids: (prefix: string) => `${prefix}_1` } } as unknown as DraftSendDeps;
  const what = { operation, known: null, from: [] };
  return approvalFor(what, LOADED, AGENT, deps, call).catch((error: unknown) => error);
}

it.each(['failed', 'canceled'] as const)(
  '409 CONFLICT when the send of another call is %s meanwhile: no approval waits, and nothing leaves',
  async (state) => {
    expect(await askBeside({ state })).toMatchObject({ code: 'CONFLICT' });
  },
);

it('a client is told of the approval that another call of the same draft has asked for meanwhile', async () => {
  expect(await askBeside({ kind: 'approved', state: 'awaiting_approval' })).toMatchObject({
    state: 'awaiting_approval',
  });
});
