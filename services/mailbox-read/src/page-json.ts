import type { LabelRefJson } from '@postroom/contract/email-list-item';
import type { RawListItem } from '@postroom/mail-store/raw-list-item';
import { renderListItem } from '@postroom/mail-store/render';
import type { LabelRefDocument } from '@postroom/mail-store/label-ref';

/**
 * The whole answer as bytes. All pieces are UTF-8 bytes read as latin1, so that they are glued as strings, which the
 * engine is quickest at, and written once.
 */
export function pageJson(items: RawListItem[], labels: LabelRefDocument[], nextCursor: string | null): Buffer {
  const tags = new Map(labels.map((label) => [label._id, renderLabel(label)]));
  const rendered = items.map((item) => renderListItem(item.rendered, item, tagsOf(item, tags)));
  const text = `{"items":[${rendered.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"hasMore":${nextCursor !== null}}`;
  return Buffer.from(text, 'latin1');
}

export function labelIdsOn(items: RawListItem[]): string[] {
  return [...new Set(items.flatMap(({ labelIds }) => labelIds))];
}

/** A label that is gone is not among the labels, and so not on the page. */
function tagsOf({ labelIds }: RawListItem, tags: Map<string, string>): string {
  if (labelIds.length === 0) return '[]';
  return `[${labelIds.flatMap((id) => tags.get(id) ?? []).join(',')}]`;
}

function renderLabel({ _id, name, color, isAiLabel }: LabelRefDocument): string {
  const tag: LabelRefJson = { id: _id, name, color, isAiLabel };
  return Buffer.from(JSON.stringify(tag)).toString('latin1');
}
