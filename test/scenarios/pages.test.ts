import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EmailParts } from '../support/email-document.ts';
import { minute, putEmails, queryOf } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();

/** Emails in a handful of moments, so that most pages end among emails of the same date. */
const moments = 7;
const email = (mailboxId: string, folderId: string, n: number): EmailParts => ({
  mailboxId,
  folderId,
  date: minute(n % moments),
  ...(n % 2 === 0 ? { subject: 'needle' } : { subject: 'other', text: 'needle' }),
});

const listings = {
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

async function setScene(listing: string): Promise<Scene> {
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

async function walk(scene: Scene, limits: number[], disturbances: [number, number][]): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor; page++) {
    const limit = limits[page % limits.length];
    const [kind = 0, pick = 0] = disturbances[page % disturbances.length] ?? [];
    const parameters: string = queryOf({ limit, ...(cursor && { cursor }) });
    const [answer] = await Promise.all([
      scene.workspace.read.get(`${scene.path}${parameters}`),
      disturbances.length > 0 && disturb(scene, kind, pick),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.hasMore).toBe(answer.body.nextCursor !== null);
    seen.push(...answer.body.items.map(({ id }: { id: string }) => id));
    cursor = answer.body.nextCursor;
  }
  return seen;
}

describe('a walk through all pages while mail arrives, leaves and changes', () => {
  it.each(Object.entries(listings))(
    'loses and repeats nothing: %s',
    async (_name, listing) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
          fc.array(fc.tuple(fc.nat(4), fc.nat(1_000)), { minLength: 1, maxLength: 8 }),
          async (limits, disturbances) => {
            const scene = await setScene(listing);
            const seen = await walk(scene, limits, disturbances);
            expect(new Set(seen).size).toBe(seen.length);
            expect(scene.unchanged.filter((id) => !seen.includes(id))).toEqual([]);
          },
        ),
        { numRuns: 3 },
      );
    },
    60_000,
  );
});

describe('a walk through what few emails have and no index tells apart', () => {
  const contains = (field: string, value: string) => ({ id: 'c', label: field, type: 'contains', value });
  const sparse = {
    'a piece of a subject': `/emails?${queryOf({ filters: contains('subject', 'eld') })}&`,
    'one of two': `/emails?${queryOf({ filters: { id: 'g', _or: [contains('subject', 'eld'), contains('cc', 'x')] } })}&`,
    'two words': '/emails?search=seldom every&',
    'two words by relevance': '/emails/search?q=seldom every&',
  };

  it.each(Object.entries(sparse))('finds each once, in order, whatever the limit: %s', async (_name, path) => {
    const workspace = await stack.workspace();
    const isRare = (n: number) => n % 11 === 5;
    const emails = Array.from({ length: 400 }, (_, n) => ({
      date: minute(n % 3),
      subject: isRare(n) ? 'seldom every' : n % 2 === 0 ? 'every' : 'other mail',
    }));
    const stored = await putEmails(stack, workspace.id, emails);
    const order = (one: { date: Date; _id: string }, other: { date: Date; _id: string }) =>
      other.date.getTime() - one.date.getTime() || (one._id < other._id ? 1 : -1);
    const rare = stored.filter((_, n) => isRare(n)).toSorted(order);
    const expected = rare.map(({ _id }) => _id);
    for (const limit of [1, 2, 5, 200]) {
      const scene = { workspace, path } as Scene;
      expect(await walk(scene, [limit], [])).toEqual(expected);
    }
  });
});
