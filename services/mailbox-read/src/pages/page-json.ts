import { bounds } from '@postroom/contract/bounds';
import type { LabelRefJson } from '@postroom/contract/email-list-item';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import { completeListItem } from '@postroom/mail-store/list-projection';
import type { LabelRefDocument } from '@postroom/mail-store/label-ref';

/**
 * All pieces are UTF-8 bytes read as latin1, so that they are glued as strings, which the engine is quickest at, and
 * written once.
 */
export function toItemsJson(items: RawListItem[], labels: LabelRefDocument[]): string[] {
  const tags = new Map(labels.map((label) => [label._id, labelJson(label)]));
  return items.map((item) => completeListItem(item.rendered, item, tagsOf(item, tags)));
}

/** The first of them that make a page of no more than its bound: an email may carry every label there is. */
export function fitting(items: string[], most: number = bounds.pageBytes): string[] {
  let bytes = 0;
  const tooMany = items.findIndex((item, n) => (bytes += item.length) > most && n > 0);
  return tooMany < 0 ? items : items.slice(0, tooMany);
}

/** The whole answer as bytes. */
export function pageJson(items: string[], nextCursor: string | null): Buffer {
  const text = `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"hasMore":${nextCursor !== null}}`;
  return Buffer.from(text, 'latin1');
}

export function labelIdsOn(items: RawListItem[]): string[] {
  return [...new Set(items.flatMap(({ labelIds }) => labelIds))];
}

/** A deleted label is not among the labels, and so not on the page. */
function tagsOf({ labelIds }: RawListItem, tags: Map<string, string>): string {
  if (labelIds.length === 0) return '[]';
  return `[${labelIds.flatMap((id) => tags.get(id) ?? []).join(',')}]`;
}

function labelJson({ _id, name, color, isAiLabel }: LabelRefDocument): string {
  const tag: LabelRefJson = { id: _id, name, color, isAiLabel };
  return Buffer.from(JSON.stringify(tag)).toString('latin1');
}
