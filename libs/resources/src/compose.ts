import { isAddress } from '@postroom/contract/address';
import { bounds } from '@postroom/contract/bounds';
import { faultInName, faultInText, hasEncodedWord } from '@postroom/contract/text';
import { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import { z } from 'zod';
import { requestSchema } from './schema-names.ts';
import { opaqueId, patterns } from './text.ts';

const { recipients, address: addressSpan } = bounds;
const LINE_BREAKER = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Printable, and short enough for its header to stay one line. */
const MESSAGE_ID = /^<?[!-;=?-~]{1,990}>?$/;

const ENCODED = 'must not hold an encoded word such as =?utf-8?q?text?=; send the text itself';
const faultInHeader = (text: string) => (hasEncodedWord(text) ? ENCODED : undefined);

const checked = (base: z.ZodString, faultIn: (value: string) => string | undefined) =>
  base.superRefine((value, context) => {
    const fault = faultIn(value);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });

const address = z
  .string()
  .trim()
  .refine(isAddress, 'must be one plain email address')
  .meta({ format: 'email', minLength: addressSpan.min, maxLength: addressSpan.max });
const personName = checked(z.string().trim(), (name) =>
  name === '' ? undefined : (faultInName(name, { min: 0, max: bounds.listItem.addressLength }) ?? faultInHeader(name)),
).meta({ maxLength: bounds.listItem.addressLength, pattern: `^$|${patterns.name}` });
const person = z.object({ email: address, name: personName.nullish() });
const people = ({ min, max }: { min: number; max: number }) => z.array(person).min(min).max(max);
const subject = checked(z.string(), (text) =>
  LINE_BREAKER.test(text)
    ? 'must be one line of text without control characters'
    : (faultInText(text, bounds.subject) ?? faultInHeader(text)),
).meta({ maxLength: bounds.subject.max, pattern: patterns.oneLine });
const content = checked(z.string(), (text) => faultInText(text, { min: 0, max: bounds.request.bodyBytes })).nullish();
const messageId = z
  .string()
  .trim()
  .regex(MESSAGE_ID, 'must be a Message-ID such as <id@example.com>')
  .refine((id) => !hasEncodedWord(id), ENCODED)
  .transform((id) => `<${id.replace(/^<|>$/g, '')}>`)
  .meta({ description: 'As in `messageId` of an email.' });

/** The content of a draft, or of an email that is sent at once. */
export const composeRequest = requestSchema(
  'ComposeRequest',
  z.object({
    mailboxId: opaqueId,
    to: people(recipients.to),
    cc: people(recipients.cc).optional(),
    bcc: people(recipients.bcc).optional(),
    subject: subject.default(''),
    body: z
      .object({ html: content, text: content })
      .refine(({ html, text }) => typeof html === 'string' || typeof text === 'string', 'must hold html, text or both')
      .meta({ not: { properties: { html: { type: 'null' }, text: { type: 'null' } } } }),
    inReplyTo: messageId.nullish().meta({ description: 'The Message-ID of the email that is answered.' }),
    references: z.array(messageId).max(bounds.listItem.references).optional(),
    from: address.nullish().meta({ description: 'An alias of the mailbox; its own address without one.' }),
    signature: opaqueId
      .nullish()
      .meta({ description: 'The id of a signature; null for none; absent for the default.' }),
  }),
);

export function toMessageCompose(body: z.output<typeof composeRequest>): ComposeRequest {
  const { mailboxId, to, cc = [], bcc = [], references = [], inReplyTo, from, signature } = body;
  return ComposeRequest.create({
    mailboxId,
    to: to.map(toMessageAddress),
    cc: cc.map(toMessageAddress),
    bcc: bcc.map(toMessageAddress),
    subject: body.subject,
    body: { html: body.body.html ?? undefined, text: body.body.text ?? undefined },
    references,
    inReplyTo: inReplyTo ?? undefined,
    from: from ?? undefined,
    signature: signature ?? undefined,
    unsigned: signature === null,
  });
}

function toMessageAddress({ email, name }: z.output<typeof person>) {
  return { email, name: name || undefined };
}
