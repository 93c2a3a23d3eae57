import { z } from 'zod';
import { cursor, limit } from './paging.ts';
import { text } from './text.ts';

const MAX_FILTERS_BYTES = 8_192;

const mailboxId = z.string().optional();
const folderType = z.enum(['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH']).optional();

export const listEmailsQuery = z.object({
  mailboxId,
  folderType: folderType.meta({ description: 'All folders where absent.' }),
  viewId: z.string().optional().meta({ description: 'Applies a saved view.' }),
  filtered: z
    .enum(['only'])
    .optional()
    .meta({ description: 'The INBOX emails that inbox filters and hiding AI labels keep out of the plain listing.' }),
  filters: z
    .string()
    .refine((value) => Buffer.byteLength(value) <= MAX_FILTERS_BYTES, 'must have at most 8,192 bytes')
    .optional()
    .meta({ description: 'A filter tree as JSON: 5 levels, 50 conditions, 500 characters a value, 8 KB at most.' }),
  search: text({ min: 0, max: 200 })
    .optional()
    .meta({ description: 'Words that must all occur; those of one character are ignored.' }),
  cursor,
  limit,
});

export const searchEmailsQuery = z.object({
  q: text({ min: 2, max: 200, trim: true }),
  mailboxId,
  folderType,
  cursor,
  limit,
});
