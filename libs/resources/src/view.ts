import { bounds } from '@postroom/contract/bounds';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { atLeastOne } from './at-least-one.ts';
import { filterTree } from './filter-tree.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { name as nameOf, boundedText } from './text.ts';

const view = replySchema(
  'View',
  z.object({
    id: z.string(),
    name: z.string(),
    icon: z.string().nullable(),
    filters: filterTree,
    mailboxIds: z.array(z.string()).meta({ description: 'Empty means all mailboxes.' }),
    createdAt: dateTime,
  }),
);
export const viewReply = replySchema('ViewReply', z.object({ view }));
export const viewListReply = replySchema('ViewListReply', z.object({ items: z.array(view) }));

const name = nameOf(bounds.viewName);
const PLAIN = /^[^\u0000-\u001f\u007f-\u009f<>&]*$/u;
const icon = boundedText(bounds.viewIcon)
  .refine((value) => PLAIN.test(value), 'must be an emoji, without markup')
  .meta({ pattern: PLAIN.source })
  .nullable()
  .meta({ description: 'An emoji.' });
const filters = filterTree.optional();

const newView = z.object({ name, filters, icon: icon.optional() });
const viewChange = z.object({ name: name.optional(), icon: icon.optional(), filters });

export const createViewRequest = requestSchema('CreateViewRequest', newView);
export const updateViewRequest = requestSchema('UpdateViewRequest', atLeastOne(viewChange));

/** Only the app restricts views to mailboxes; the API does not. */
const restriction = { mailboxIds: z.array(boundedText(bounds.id)).optional() };
export const createViewInApp = newView.extend(restriction);
export const updateViewInApp = atLeastOne(viewChange.extend(restriction));

export function toJsonView(message: proto.View): z.input<typeof view> {
  return {
    id: message.id,
    name: message.name,
    icon: message.icon ?? null,
    filters: JSON.parse(message.filtersJson) as unknown,
    mailboxIds: message.mailboxIds,
    createdAt: message.createdAt,
  };
}
