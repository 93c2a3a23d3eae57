import { isBodyOf, type VersionedEmail } from '@postroom/mail-store/body-version';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { OutgoingBody } from '../compose/body.ts';
import type { MailReaderStore, SourceEmail } from '../mail-reader/mail-reader-store.ts';

export interface StoredBodyDeps {
  mailReader: Pick<MailReaderStore, 'body'>;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchBody'>;
}

/** The body as it is stored, or as the provider has it. */
export async function bodyOf(
  source: Pick<SourceEmail, '_id' | 'mailboxId' | 'place'> & VersionedEmail,
  { mailReader, mailboxSync }: StoredBodyDeps,
  call: Pick<Call, 'workspaceId' | 'remainingMs'>,
): Promise<OutgoingBody & { isFetched: boolean }> {
  const { _id: emailId, mailboxId } = source;
  const kept = await mailReader.body(call.workspaceId, emailId, call);
  const isFetched = Boolean(source.place) && !(kept && isBodyOf(kept, source));
  const { html, text } = isFetched ? await mailboxSync.fetchBody({ mailboxId, emailId }, call) : (kept ?? {});
  return { html: html ?? null, text: text ?? null, isFetched };
}
