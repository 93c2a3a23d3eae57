import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow';
import { sane } from '@postroom/mime/dates';
import type { Attachment } from '@postroom/mime/parts';
import { attachmentsOf } from '@postroom/mime/structure';
import type { FlagState, ImapConnection, MessageFacts } from './imap-connection.ts';
import { requireAnswer } from './require-answer.ts';
import type { Commands } from './commands.ts';
import { uidSetOf } from './uid-set.ts';

type Fetching = Pick<ImapConnection, 'uids' | 'flags' | 'facts' | 'attachments' | 'sources' | 'findByHeader'>;

/** So many UIDs in one answer. */
const AT_ONCE = 100_000;
/** The bytes that a provider may send about one message. */
const OF_FACTS = 4 * 1024;

/** Of a message with as many parts as the parser takes. */
const OF_STRUCTURE = 1024 * 1024;

const BY_UID = { uid: true } as const;
const FLAGS = { uid: true, flags: true } as const;
const FACTS = { ...FLAGS, size: true, internalDate: true } as const;

/** Reads messages of the open folder. No read marks a message as read: `source` peeks. */
export function fetching(client: ImapFlow, commands: Commands): Fetching {
  // Labels of Gmail's; a server that does not know the word would refuse the whole command.
  const labels = (): FetchQueryObject => (client.capabilities.has('X-GM-EXT-1') ? { labels: true } : {});
  const fetch = (range: string, query: FetchQueryObject, most: number, changedSince?: bigint) => {
    const options = { ...BY_UID, ...(changedSince !== undefined && { changedSince }) };
    return commands.stream(() => client.fetch(range, query, options), { most });
  };

  return {
    uids: (range) => uidsIn(range, client, commands),

    findByHeader: (name, value) =>
      commands.run(async () => requireAnswer(await client.search({ header: { [name]: value } }, BY_UID))),

    async *flags(range, changedSince) {
      const most = existing(client) * OF_FACTS;
      for await (const message of fetch(range, { ...FLAGS, ...labels() }, most, changedSince))
        yield toFlagState(message);
    },

    async *facts(uids) {
      const isAwaited = awaiting(uids);
      if (uids.length === 0) return;
      const most = uids.length * OF_FACTS;
      for await (const message of fetch(uidSetOf(uids), { ...FACTS, ...labels() }, most))
        if (isAwaited(message)) yield { ...toFlagState(message), ...toFacts(message) };
    },

    async attachments(uid) {
      const isAwaited = awaiting([uid]);
      const fetched = () => client.fetch(uidSetOf([uid]), { uid: true, bodyStructure: true }, BY_UID);
      let found: Attachment[] | null = null;
      for await (const message of commands.stream(fetched, { most: OF_STRUCTURE }))
        if (message.bodyStructure && isAwaited(message)) found = attachmentsOf(message.bodyStructure);
      return found;
    },

    async *sources(uids, { each, all, isWanted }) {
      const isAwaited = awaiting(uids);
      if (uids.length === 0) return;
      const query = { uid: true, source: { maxLength: each } };
      const fetched = () => client.fetch(uidSetOf(uids), query, BY_UID);
      for await (const message of commands.stream(fetched, { most: all, isWanted }))
        if (message.source && isAwaited(message)) yield { uid: message.uid, raw: message.source };
    },
  };
}

const existing = (client: ImapFlow): number => (client.mailbox ? client.mailbox.exists : 0);

/** In pieces: a list of all that a large folder holds would be megabytes in one line. */
async function uidsIn(range: string, client: ImapFlow, commands: Commands): Promise<number[]> {
  const uids = new Set<number>();
  for (let from = 1; from <= existing(client); from += AT_ONCE) {
    const seq = `${from}:${Math.min(from + AT_ONCE - 1, existing(client))}`;
    const found = await commands.run(async () => requireAnswer(await client.search({ seq, uid: range }, BY_UID)));
    for (const uid of found) uids.add(uid);
  }
  return [...uids].sort((one, other) => one - other);
}

/** Yields each of these once, because a provider also reports messages that were not requested. */
function awaiting(uids: readonly number[]) {
  const awaited = new Set(uids);
  return ({ uid }: FetchMessageObject) => awaited.delete(uid);
}

function toFlagState({ uid, flags = new Set(), labels = new Set() }: FetchMessageObject): FlagState {
  return {
    uid,
    isRead: flags.has('\\Seen'),
    isStarred: flags.has('\\Flagged'),
    isDeleted: flags.has('\\Deleted'),
    labels: [...labels],
  };
}

function toFacts({ size = 0, internalDate, emailId }: FetchMessageObject): Omit<MessageFacts, keyof FlagState> {
  const date = internalDate === undefined ? null : new Date(internalDate);
  return {
    size,
    internalDate: date && sane(date),
    emailId: emailId ?? null,
  };
}
