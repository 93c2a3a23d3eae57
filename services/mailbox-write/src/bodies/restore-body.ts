import { ApiError } from '@postroom/errors/api-error';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ParsePool } from '../parse/parse-pool.ts';
import { isSameLocation } from '../location/location.ts';
import type { BodyStore } from './body-store.ts';

interface RestoreDeps {
  stores: { bodies: BodyStore };
  pool: Pick<ParsePool, 'parse'>;
  context: Pick<ServiceContext, 'clock'>;
}

/** Restores an evicted body, or the body of a draft's present version, from the message that its provider has returned. */
export function createRestoreBodyHandler({ stores: { bodies }, pool, context }: RestoreDeps) {
  return {
    restoreBody: async ({ emailId, raw, location }, { workspaceId, signal }) => {
      const email = await bodies.bodiless(workspaceId, emailId);
      if (!email || (location && !isSameLocation(email.place, location))) throw new ApiError('NOT_FOUND');
      const parsed = await pool.parse(raw, workspaceId, signal);
      if (parsed.kind === 'refused') throw new Error(`a message that was taken in cannot be parsed: ${parsed.cause}`);
      const { messageId, html, text } = parsed.mail;
      // The provider has put another message in that location meanwhile.
      if (messageId !== email.messageId) throw new ApiError('NOT_FOUND');
      const now = context.clock.date();
      const { mailboxId, bodyVersion } = email;
      await bodies.restore(workspaceId, {
        _id: emailId,
        workspaceId,
        mailboxId,
        html,
        text,
        createdAt: now,
        evictableSince: now,
        ...(location && bodyVersion !== undefined && { version: bodyVersion }),
      });
      return { html: html ?? undefined, text: text ?? undefined };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}
