import { ApiError } from '@postroom/errors/api-error';
import type { LocationPart } from '@postroom/mail-store/documents/email';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ParsePool } from '../parse/parse-pool.ts';
import { isSameLocation } from '../location/location.ts';
import type { Bodiless, BodyStore } from './body-store.ts';

interface RestoreDeps {
  stores: { bodies: BodyStore };
  pool: Pick<ParsePool, 'parse'>;
  context: Pick<ServiceContext, 'clock'>;
}

/** Restores an evicted body, or the body of a draft's present version, from the message that its provider has returned. */
export function createRestoreBodyHandler({ stores: { bodies }, pool, context }: RestoreDeps) {
  return {
    restoreBody: async ({ emailId, raw, location }, { workspaceId, signal }) => {
      const parsed = await pool.parse(raw, workspaceId, signal);
      if (parsed.kind === 'refused') throw new Error(`a message that was taken in cannot be parsed: ${parsed.cause}`);
      const { messageId, html, text } = parsed.mail;
      // They are read behind the parser, which may take seconds.
      const version = await bodies.versionOf(workspaceId, emailId);
      const email = await bodies.bodiless(workspaceId, emailId);
      if (!email || !isOfEmail(email, { messageId, location })) throw new ApiError('NOT_FOUND');
      const now = context.clock.date();
      const { mailboxId, bodyVersion } = email;
      const body = { _id: emailId, workspaceId, mailboxId, html, text, createdAt: now, evictableSince: now };
      const isVersioned = location !== undefined && bodyVersion !== undefined;
      await bodies.restore(workspaceId, isVersioned ? { ...body, version: bodyVersion } : body, version);
      return { html: html ?? undefined, text: text ?? undefined };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/**
 * A draft is known by its location alone: each version has one of its own, and some providers give it another Message-ID.
 * Of other mail, the provider may have put another message in that location meanwhile.
 */
function isOfEmail(
  email: Pick<Bodiless, 'messageId' | 'isDraft' | 'place'>,
  { messageId, location }: { messageId: string; location: LocationPart | undefined },
): boolean {
  return email.isDraft && location ? isSameLocation(email.place, location) : messageId === email.messageId;
}
