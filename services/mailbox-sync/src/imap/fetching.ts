import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow';
import type { FlagState, ImapConnection, MessageFacts } from './imap-connection.ts';
import { decodePath } from 'imapflow/lib/tools.js';
import { answered } from './answered.ts';
import type { Line } from './line.ts';
import { sequenceOf } from './sequence.ts';

type Fetching = Pick<ImapConnection, 'uids' | 'flags' | 'facts' | 'sources' | 'findByHeader'>;

const BY_UID = { uid: true } as const;
const FLAGS = { uid: true, flags: true } as const;
const FACTS = { ...FLAGS, size: true, internalDate: true } as const;

/** What is read in the open folder. Nothing here marks a message as read: `source` peeks. */
export function fetching(client: ImapFlow, line: Line): Fetching {
  // Labels of Gmail's; a server that does not know the word would refuse the whole command.
  const labels = (): FetchQueryObject => (client.capabilities.has('X-GM-EXT-1') ? { labels: true } : {});
  const toState = (message: FetchMessageObject) =>
    toFlagState(
      message,
      [...(message.labels ?? [])].map((label) => decodePath(client, label)),
    );
  const fetch = (range: string, query: FetchQueryObject, changedSince?: bigint) =>
    line.stream(() => client.fetch(range, query, { ...BY_UID, ...(changedSince !== undefined && { changedSince }) }));

  return {
    uids: (range) =>
      line.run(async () => answered(await client.search({ uid: range }, BY_UID)).sort((one, other) => one - other)),

    findByHeader: (name, value) =>
      line.run(async () => answered(await client.search({ header: { [name]: value } }, BY_UID))),

    async *flags(range, changedSince) {
      for await (const message of fetch(range, { ...FLAGS, ...labels() }, changedSince)) yield toState(message);
    },

    async *facts(uids) {
      if (uids.length === 0) return;
      for await (const message of fetch(sequenceOf(uids), { ...FACTS, ...labels() }))
        yield { ...toState(message), ...toFacts(message) };
    },

    async *sources(uids, maxLength) {
      if (uids.length === 0) return;
      for await (const { uid, source } of fetch(sequenceOf(uids), { uid: true, source: { maxLength } }))
        if (source) yield { uid, raw: source };
    },
  };
}

function toFlagState({ uid, flags = new Set() }: FetchMessageObject, labels: readonly string[]): FlagState {
  return {
    uid,
    isRead: flags.has('\\Seen'),
    isStarred: flags.has('\\Flagged'),
    isDeleted: flags.has('\\Deleted'),
    labels,
  };
}

function toFacts({ size = 0, internalDate, emailId }: FetchMessageObject): Omit<MessageFacts, keyof FlagState> {
  const date = internalDate === undefined ? null : new Date(internalDate);
  return {
    size,
    internalDate: date && !Number.isNaN(date.getTime()) ? date : null,
    emailId: emailId ?? null,
  };
}
