import { expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { systemClock } from '@postroom/runtime/clock';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { noTracing } from '@postroom/runtime/tracing';
import { LeaseLost } from '../leases/lease-lost.ts';
import type { FolderState, Session } from '../session/session.ts';
import { ingestMessages } from './ingest-messages.ts';

const STATE = { folder: { id: 'fld_1', type: 'INBOX' }, sync: { uidValidity: 1 } } as unknown as FolderState;

interface Writer {
  ingest(messages: readonly unknown[], at: Date, isRepeat: boolean): Promise<void>;
}

function sessionOf(writer: Writer, { tracing = noTracing, onFetch = () => undefined as void } = {}): Session {
  return {
    connection: {
      async *facts(uids: number[]) {
        for (const uid of uids) yield { uid, size: 10, labels: [], isRead: false, isStarred: false };
      },
      async *sources(uids: number[]) {
        onFetch();
        for (const uid of uids) yield { uid, raw: Buffer.from('hello') };
      },
    },
    writer,
    labelFolders: [],
    lease: { workspaceId: 'wsp_1' },
    deps: {
      unanswered: createRecentIds(10),
      bytes: { enter: async () => ({ leave: () => undefined, isWanted: () => false }) },
      taken: { add: () => undefined },
      context: { clock: systemClock, tracing },
    },
  } as unknown as Session;
}

it('messages are fetched over IMAP and handed on within one span, so that their way is one trace', async () => {
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
  const session = sessionOf(
    { ingest: async (messages) => note(`handed on ${messages.length}`) },
    { tracing, onFetch: () => note('fetched') },
  );
  await ingestMessages(session, STATE, [1, 2], { onStored: async () => undefined, isHistory: () => false });
  expect(seen).toEqual(['take in > imap fetch > fetched', 'take in > handed on 2']);
});

it.each([
  ['ended without an answer', new ApiError('INTERNAL_ERROR', { cause: new Error('connection reset') }), true],
  [
    'found no service',
    Object.assign(new Error('14'), { code: 14, details: 'No connection established. Last error: refused' }),
    false,
  ],
  ['found the lease lost', new LeaseLost(), false],
])('the call after one that %s says so', async (_how, failure, says) => {
  const repeats: boolean[] = [];
  const session = sessionOf({
    ingest: async (_messages, _at, isRepeat) => {
      repeats.push(isRepeat);
      if (repeats.length === 1) throw failure;
    },
  });
  const how = { onStored: async () => undefined, isHistory: () => false };
  await expect(ingestMessages(session, STATE, [1, 2], how)).rejects.toBe(failure);
  await ingestMessages(session, STATE, [2, 3], how);
  await ingestMessages(session, STATE, [2, 3], how);
  expect(repeats).toEqual([false, says, false]);
});
