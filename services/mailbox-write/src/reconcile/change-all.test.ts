import { expect, it } from '@jest/globals';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import type { EmailChange } from '../changes/email-change.ts';
import { changeAll } from './change-all.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });

it('emails that others change meanwhile are read again, and only those, until each is changed', async () => {
  const lost = new Map([
    ['eml_quiet', 0],
    ['eml_busy', 1],
    ['eml_busiest', 3],
  ]);
  const changeMany = async (_workspaceId: string, changes: EmailChange[]) => {
    const ids = changes.map(({ emailId }) => emailId);
    const made = ids.filter((id) => lost.get(id) === 0);
    for (const id of ids) lost.set(id, Math.max(0, (lost.get(id) ?? 0) - 1));
    return made;
  };
  const deps = {
    stores: { bulk: { changeMany } },
    relay: { publishSoon: () => undefined },
    context,
    finalizing: { unfinished: { findUnfinished: async () => [] } },
    fence: async () => undefined,
  } as unknown as ReconcileDeps;
  const reads: string[][] = [];
  const done = await changeAll(deps, { _id: 'mbx', workspaceId: 'wsp' } as MailboxDocument, {
    names: [...lost.keys()],
    read: async (names) => {
      reads.push([...names]);
      return names.map((_id) => ({ _id }) as EmailAsRead);
    },
    nameOf: ({ _id }) => _id,
    change: ({ _id }) => ({ emailId: _id, set: {}, events: [] }) as unknown as EmailChange,
  });
  expect(done.map(({ _id }) => _id)).toEqual(['eml_quiet', 'eml_busy', 'eml_busiest']);
  expect(reads).toEqual([[...lost.keys()], ['eml_busy', 'eml_busiest'], ['eml_busiest'], ['eml_busiest']]);
});
