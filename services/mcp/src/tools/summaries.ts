import { z } from 'zod';
import { safeLines } from '../mail/mail-text.ts';
import { labelOfEmail } from './fields.ts';
import { fits } from './size.ts';
import { defineTool, READS, type Tool } from './tool.ts';

const view = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.string().nullable().optional(),
  filters: z.unknown().optional(),
  mailboxIds: z.array(z.string()).optional(),
});
const rule = z.object({
  id: z.string(),
  label: labelOfEmail,
  condition: z.string().optional(),
  autoDraftEnabled: z.boolean(),
  autoReplyEnabled: z.boolean(),
  hideFromInbox: z.boolean(),
});
const allOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    leftOut: z
      .array(z.string())
      .meta({ description: 'Fields that are left out, because the answer would be too large.' }),
  });

/** All items of a list, with as many of their fields as an answer can hold. The fields named last go first. */
function wholeList<T extends object>(body: { items: T[] }, mayGo: readonly (keyof T & string)[]) {
  let { items } = safeLines(body) as typeof body;
  const leftOut: string[] = [];
  for (const name of mayGo.toReversed()) {
    if (fits(items)) break;
    items = items.map((item) => ({ ...item, [name]: undefined }));
    leftOut.push(name);
  }
  return { items, leftOut };
}

export const listViews: Tool = defineTool({
  name: 'list_views',
  title: 'List views',
  description: 'All saved views. list_emails takes the id of one as viewId.',
  scope: 'read',
  annotations: READS,
  input: z.object({}),
  output: allOf(view),
  call: () => ({ method: 'GET', path: '/views' }),
  show: (body: { items: z.input<typeof view>[] }) => wholeList(body, ['icon', 'mailboxIds', 'filters']),
});

export const listRules: Tool = defineTool({
  name: 'list_rules',
  title: 'List AI label rules',
  description:
    'All AI label rules: which label each gives, by which condition, and whether it drafts or sends replies.',
  scope: 'read',
  annotations: READS,
  input: z.object({}),
  output: allOf(rule),
  call: () => ({ method: 'GET', path: '/ai-label-rules' }),
  show: (body: { items: z.input<typeof rule>[] }) => wholeList(body, ['condition']),
});
