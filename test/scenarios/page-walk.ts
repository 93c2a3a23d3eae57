import { expect } from '@jest/globals';
import type { EmailParts } from '../support/email-document.ts';
import { minute, putEmails, queryOf } from '../support/emails.ts';
import type { TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** Emails in a handful of moments, so that most pages end among emails of the same date. */
const moments = 7;
const email = (mailboxId: string, folderId: string, n: number): EmailParts => ({
  mailboxId,
  folderId,
  date: minute(n % moments),
  ...(n % 2 === 0 ? { subject: 'needle' } : { subject: 'other', text: 'needle' }),
});

export const listings = {
  all: '/emails?',
  inbox: '/emails?folderType=INBOX&',
  'one mailbox': '/emails?mailboxId=MAILBOX&',
  labelled: `/emails?${queryOf({ filters: { id: 'c', label: 'label', type: 'contains', value: 'LABEL' } })}&`,
  unread: `/emails?${queryOf({ filters: { id: 'c', label: 'read_status', type: 'is_false', value: '' } })}&`,
  keywords: '/emails?search=needle&',
  search: '/emails/search?q=needle&',
};

interface Scene {
  workspace: TestWorkspace;
  path: string;
  labelId: string;
  /** Nobody touches these while the pages are walked. */
  unchanged: string[];
  changing: string[];
  insert(count: number): Promise<unknown>;
}

export async function setScene(stack: TestStack, listing: string): Promise<Scene> {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const folderId = mailbox.folders.find(({ type }) => type === 'INBOX')?.id ?? '';
  const { label } = (await workspace.write.post('/labels', { name: 'L', color: 'Red' })).body;
  let made = 0;
  const put = (count: number) => {
    const parts = Array.from({ length: count }, () => ({
      ...email(mailbox.id, folderId, made++),
      labelIds: [label.id],
    }));
    return putEmails(stack, workspace.id, parts);
  };
  const ids = (await put(90)).map(({ _id }) => _id);
  return {
    workspace,
    path: listing.replace('LABEL', label.id).replace('MAILBOX', mailbox.id),
    labelId: label.id,
    unchanged: ids.filter((_id, n) => n % 3 !== 0),
    changing: ids.filter((_id, n) => n % 3 === 0),
    insert: put,
  };
}

/** One change of the kind that people and mail servers make, away from the emails that are watched. */
async function disturb({ workspace, changing, labelId, insert }: Scene, kind: number, pick: number): Promise<void> {
  const id = changing[pick % changing.length];
  const changes = [
    () => insert(2),
    () => workspace.write.delete(`/emails/${id}`),
    () => workspace.write.delete(`/emails/${id}/labels/${labelId}`),
    () => workspace.write.post(`/emails/${id}/labels/${labelId}`),
    () => workspace.write.patch(`/emails/${id}`, { isRead: pick % 2 === 0 }),
  ];
  await changes[kind % changes.length]?.();
}

/** Walks through all pages. Something may happen beside the call of each. */
export async function walk(
  { workspace, path }: Pick<Scene, 'workspace' | 'path'>,
  limits: number[],
  beside: (page: number) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor; page++) {
    const limit = limits[page % limits.length];
    const parameters: string = queryOf({ limit, ...(cursor && { cursor }) });
    const [answer] = await Promise.all([workspace.read.get(`${path}${parameters}`), beside(page)]);
    expect(answer.status).toBe(200);
    expect(answer.body.hasMore).toBe(answer.body.nextCursor !== null);
    seen.push(...answer.body.items.map(({ id }: { id: string }) => id));
    cursor = answer.body.nextCursor;
  }
  return seen;
}

/** Disturbs the walk through a scene by the kinds of change and the emails that are listed, one beside each page. */
export const disturbing = (scene: Scene, changes: readonly [kind: number, pick: number][]) => async (page: number) => {
  const [kind, pick] = changes[page % changes.length] ?? [0, 0];
  await disturb(scene, kind, pick);
};
