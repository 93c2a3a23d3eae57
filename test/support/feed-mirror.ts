/** The state of an email in a mirror. A flag is undefined from the appearance of an email to the first change of it. */
export interface Mirrored {
  isRead: boolean | undefined;
  isStarred: boolean | undefined;
  folderType: string;
  tags: Set<string>;
}
export type Mirror = Map<string, Mirrored>;

export interface Change {
  seq: number;
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** Applies one change. A mirror without the email of a change learns of it from its next listing alone. */
export function apply(mirror: Mirror, { event, data }: Change): void {
  const id = String(data['emailId']);
  const tagId = String(data['tagId']);
  if (event === 'email.removed') mirror.delete(id);
  if (event === 'email.received' || event === 'email.created') {
    const known = mirror.get(id) ?? {
      isRead: undefined,
      isStarred: undefined,
      folderType: '',
      tags: new Set<string>(),
    };
    mirror.set(id, { ...known, folderType: String(data['folderType']) });
  }
  const email = mirror.get(id);
  if (!email) return;
  if (event === 'email.updated') Object.assign(email, data['changes']);
  if (event === 'email.moved') email.folderType = String(data['folderType']);
  if (event === 'email.deleted') email.folderType = 'TRASH';
  if (event === 'label.applied') email.tags.add(tagId);
  if (event === 'label.removed') email.tags.delete(tagId);
}

/** An email may appear with its flags set, and its change does not tell them: a client reads them from the API. */
export function withFlagsRead(mirror: Mirror, truth: Mirror): Mirror {
  return new Map(
    [...mirror].map(([id, email]) => {
      const read = truth.get(id);
      const isRead = email.isRead ?? read?.isRead;
      return [id, { ...email, isRead, isStarred: email.isStarred ?? read?.isStarred }];
    }),
  );
}

/** In words that a failure shows. */
export const described = (mirror: Mirror): string[] =>
  [...mirror]
    .map(([id, { isRead, isStarred, folderType, tags }]) =>
      [id, isRead ? 'read' : 'unread', isStarred ? 'starred' : '', folderType, ...[...tags].toSorted()].join(' '),
    )
    .toSorted();
