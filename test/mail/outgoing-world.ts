import { messageBounds } from '@postroom/mime/message-bounds';
import { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';
import type { ChangeWorld } from '../support/change-world.ts';
import { createHandlers } from '../../services/mailbox-write/src/handlers.ts';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';

const parse = async (raw: Uint8Array) =>
  ({ kind: 'mail', id: 0, mail: readMail(Buffer.from(raw), messageBounds) }) as const;

/** The handlers of a process, and the emails that it has read to answer. */
export function processOf(world: ChangeWorld, replaced: Partial<ChangeWorld['stores']> = {}) {
  const answered: string[] = [];
  const { outgoing } = world.stores;
  const standing: typeof outgoing.standing = (workspaceId, emailId, budget) => {
    answered.push(emailId);
    return outgoing.standing(workspaceId, emailId, budget);
  };
  const relay = { publishSoon: () => undefined };
  const pool = { parse, close: async () => undefined };
  const steps: string[] = [];
  const threads: typeof world.stores.threads = {
    ...world.stores.threads,
    findAround: (...which) => (steps.push('find links'), world.stores.threads.findAround(...which)),
    insertNodes: (...which) => (steps.push('link'), world.stores.threads.insertNodes(...which)),
  };
  const stores = { ...world.stores, threads, outgoing: { ...outgoing, standing }, ...replaced };
  const { add: queueByMailbox } = createKeyedQueue();
  const completed = { add: () => undefined };
  const { handlers } = createHandlers({ ...world, stores, completed, relay, removals: relay, pool, queueByMailbox });
  return { ...handlers, answered, steps };
}

export async function imapMailbox(world: ChangeWorld) {
  const folders = [
    { id: 'fld_inbox', name: 'Inbox', type: 'INBOX', path: 'INBOX' },
    { id: 'fld_sent', name: 'Sent', type: 'SENT', path: 'Sent' },
    { id: 'fld_drafts', name: 'Drafts', type: 'DRAFTS', path: 'Drafts' },
  ] as never;
  const { call, mailboxId } = await world.workspace({ provider: 'imap', folders });
  const of = (operationId: string) => ({ ...call, operationId }) as Call;
  const message = (folderType: string, text = 'Hello') => {
    const raw = Buffer.from(
      `Message-ID: <${mailboxId}@example.com>\r\nFrom: bob@example.com\r\nTo: ann@acme.example\r\nSubject: Plan\r\n\r\n${text}`,
    );
    return StoreOutgoingRequest.fromPartial({ mailboxId, folderType, raw, source: 'api' });
  };
  return { of, message, mailboxId };
}
