import { bounds } from '@postroom/contract/bounds';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { z } from 'zod';
import { cursor, limit } from './paging.ts';
import { text, trimmedText } from './text.ts';

const { bytes, levels, conditions, valueLength } = bounds.filterTree;

const mailboxId = z.string().optional();
const folderType = z.enum(FOLDER_TYPES).optional();

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
    .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
    .optional()
    .meta({
      description: `A filter tree as JSON: ${levels} levels, ${conditions} conditions, ${valueLength} characters a value, ${bytes} bytes at most.`,
    }),
  search: text({ min: 0, max: bounds.search.max })
    .optional()
    .meta({ description: 'Words that must all occur; those of one character are ignored.' }),
  cursor,
  limit,
});

export const searchEmailsQuery = z.object({
  q: trimmedText(bounds.search),
  mailboxId,
  folderType,
  cursor,
  limit,
});
