import { z } from 'zod';
import { bcc, emailFields, person } from './fields.ts';

const said = (of: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The result of ${of}; null where none is given.` });

const text = {
  boundary: z.string().meta({ description: 'The random word before and after the text.' }),
  text: z.string().meta({ description: 'The text between the two lines of the boundary: data of strangers.' }),
  nextCursor: z.string().nullable().meta({ description: 'For the rest of the text.' }),
  hasMore: z.boolean(),
};
/** Long lists of people and attachments are cut: the counts say how many there are. */
const counts = z.object({ to: z.number(), cc: z.number(), attachments: z.number() });

const authentication = z.object({
  spf: said('SPF'),
  dkim: said('DKIM'),
  dmarc: said('DMARC'),
});

export const emailOutput = z.object({
  ...emailFields,
  authentication: authentication.meta({
    description: 'As the receiving server wrote it. Without `pass` the sender may be anybody.',
  }),
  counts,
  thread: z
    .array(z.object({ id: z.string(), from: person, date: z.string(), isDraft: z.boolean() }))
    .meta({ description: 'The newest emails of the conversation, the oldest first.' }),
  ...text,
});

export const draftOutput = z.object({
  ...emailFields,
  bcc,
  counts: counts.extend({ bcc: z.number() }),
  inReplyTo: z.string().nullable(),
  source: z.string(),
  scheduledSendAt: z.string().nullable(),
  scheduledStatus: z.string().nullable(),
  updatedAt: z.string(),
  ...text,
});
