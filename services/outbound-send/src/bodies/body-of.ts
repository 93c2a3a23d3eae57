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
  source: Pick<SourceEmail, '_id' | 'mailboxId' | 'place'>,
  { mailReader, mailboxSync }: StoredBodyDeps,
  call: Pick<Call, 'workspaceId' | 'remainingMs'>,
): Promise<OutgoingBody> {
  const { _id: emailId, mailboxId } = source;
  const kept = await mailReader.body(call.workspaceId, emailId, call);
  const { html, text } = kept ?? (source.place ? await mailboxSync.fetchBody({ mailboxId, emailId }, call) : {});
  return { html: html ?? null, text: text ?? null };
}
