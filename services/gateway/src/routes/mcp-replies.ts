import { FEATURES } from '@postroom/contract/lists';
import type { SendDraftResponse } from '@postroom/proto/postroom/v1/outbound_send';
import type { GetEmailBodyResponse } from '@postroom/proto/postroom/v1/mailbox_read';
import { bodyParts, email, toBodyParts, toJsonEmail } from '@postroom/resources/email';
import { z } from 'zod';

export const callerReply = z.object({
  scopes: z.array(z.string()),
  maySend: z.boolean(),
  features: z.array(z.enum(FEATURES)),
});

const said = z.string().nullable();

export const readingReply = z.object({
  email,
  body: bodyParts,
  thread: z.array(email),
  authentication: z.object({ spf: said, dkim: said, dmarc: said }),
});

export function toJsonReading(message: GetEmailBodyResponse): z.input<typeof readingReply> {
  const { emailId, body, thread, authentication } = message;
  const asked = thread.find(({ id }) => id === emailId);
  if (!asked) throw new Error('a thread came without the email that was asked for');
  return {
    email: toJsonEmail(asked),
    body: toBodyParts(body),
    thread: thread.map(toJsonEmail),
    authentication: {
      spf: authentication?.spf ?? null,
      dkim: authentication?.dkim ?? null,
      dmarc: authentication?.dmarc ?? null,
    },
  };
}

export const draftSendReply = z.object({
  status: z.string(),
  draftId: z.string(),
  emailId: z.string().nullable(),
  approvalId: z.string().nullable(),
  expiresAt: z.string().nullable(),
});

export function toJsonDraftSend(message: SendDraftResponse): z.input<typeof draftSendReply> {
  const { status, draftId, emailId = null, approvalId = null, expiresAt = null } = message;
  return { status, draftId, emailId, approvalId, expiresAt };
}
