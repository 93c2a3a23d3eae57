import { expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { noTracing } from '@postroom/runtime/tracing';
import type { FolderState, Session } from '../session/session.ts';
import { takeIn } from './take-in.ts';

it('what is fetched over IMAP is fetched and handed on within one span, so that its way is one trace', async () => {
  const running: string[] = [];
  const seen: string[] = [];
  const note = (what: string) => void seen.push([...running, what].join(' > '));
  const tracing: typeof noTracing = {
    ...noTracing,
    withSpan: async (name, attributes, parent, work) => {
      running.push(name);
      return noTracing.withSpan(name, attributes, parent, work).finally(() => running.pop());
    },
  };
  const session = {
    connection: {
      async *facts(uids: number[]) {
        for (const uid of uids) yield { uid, size: 10, labels: [], isRead: false, isStarred: false };
      },
      async *sources(uids: number[]) {
        note('fetched');
        for (const uid of uids) yield { uid, raw: Buffer.from('hello') };
      },
    },
    writer: { ingest: async (messages: unknown[]) => note(`handed on ${messages.length}`) },
    labelFolders: [],
    lease: { workspaceId: 'wsp_1' },
    deps: {
      bytes: { enter: async () => ({ leave: () => undefined, isWanted: () => false }) },
      taken: { add: () => undefined },
      context: { clock: systemClock, tracing },
    },
  } as unknown as Session;
  const state = { folder: { id: 'fld_1', type: 'INBOX' }, sync: { uidValidity: 1 } } as unknown as FolderState;
  await takeIn(session, state, [1, 2], { onStored: async () => undefined, isHistory: () => false });
  expect(seen).toEqual(['take in > imap fetch > fetched', 'take in > handed on 2']);
});
