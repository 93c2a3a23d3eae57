import { bounds } from '@postroom/contract/bounds';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { z } from 'zod';
import { filterTreeSchema } from './filter-tree.ts';
import { cursor, limit } from './paging.ts';
import { patterns, boundedText, trimmedText } from './text.ts';

const { bytes, levels, conditions, valueLength } = bounds.filterTree;

const id = z.string().optional().meta({ pattern: patterns.text });
const folderType = z.enum(FOLDER_TYPES).optional();

export const listEmailsQuery = z.object({
  mailboxId: id,
  folderType: folderType.meta({ description: 'All folders where absent.' }),
  viewId: id.meta({ pattern: patterns.text, description: 'Applies a saved view.' }),
  filtered: z
    .enum(['only'])
    .optional()
    .meta({ description: 'The INBOX emails that inbox filters and hiding AI labels keep out of the plain listing.' }),
  filters: z
    .string()
    .refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`)
    .optional()
    .meta({
      minLength: 2,
      maxLength: bytes,
      contentMediaType: 'application/json',
      contentSchema: filterTreeSchema,
      description: `A filter tree as JSON: ${levels} levels, ${conditions} conditions, ${valueLength} characters a value, ${bytes} bytes at most.`,
    }),
  search: boundedText({ min: 0, max: bounds.search.max })
    .optional()
    .meta({ description: 'Words that must all occur; those of one character are ignored.' }),
  cursor,
  limit,
});

export const searchEmailsQuery = z.object({
  q: trimmedText(bounds.search),
  mailboxId: id,
  folderType,
  cursor,
  limit,
});
