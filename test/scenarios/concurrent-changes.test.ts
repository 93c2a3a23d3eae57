import { beforeEach, describe, expect } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const CLIENTS = 20;

const stack = useStack();
let mine: TestWorkspace;
let emailIds: string[];

beforeEach(async () => {
  mine = await stack.workspace();
  emailIds = await mine.ingest(
    (await mine.connectMailbox()).id,
    Array.from({ length: 12 }, () => ({})),
  );
});

const inOrder = (ids: string[]) => ids.toSorted();
const asMany = <T>(client: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
const bulk = async (body: object) => (await mine.write.post('/emails/bulk', { emailIds, ...body })).body;
const stored = async () => {
  const found = await stack.collections.emails.find({ workspaceId: mine.id }).lean<EmailDocument[]>();
  return emailIds.map((id) => found.find(({ _id }) => _id === id)!);
};

describe('20 clients at once', () => {
  whenDatabaseHas('projections')('mark the same email: both flags are those of one of the calls', async () => {
    const [emailId] = emailIds;
    const calls = [
      { isRead: true, isStarred: false },
      { isRead: false, isStarred: true },
    ];
    const answers = await asMany((index) => mine.write.patch(`/emails/${emailId}`, calls[index % 2]));
    answers.forEach(({ status, body }, index) => {
      expect(status).toBe(200);
      expect(body.email).toMatchObject(calls[index % 2] ?? {});
    });
    const { isRead, isStarred } = (await mine.read.get(`/emails/${emailId}`)).body.email;
    expect(calls).toContainEqual({ isRead, isStarred });
  });

  whenDatabaseHas('arrayUpdates')(
    'mark the same emails in bulk: each email was changed once, by one of them',
    async () => {
      const answers = await asMany(() => bulk({ action: 'markRead', isRead: true }));
      expect(inOrder(answers.flatMap(({ updatedIds }) => updatedIds))).toEqual(inOrder(emailIds));
      for (const { updatedIds, unchangedIds, skippedIds } of answers) {
        expect(inOrder([...updatedIds, ...unchangedIds])).toEqual(inOrder(emailIds));
        expect(skippedIds).toEqual([]);
      }
    },
  );

  whenDatabaseHas('projections', 'arrayUpdates')(
    'trash the same emails, one by one and in bulk: all in the trash, each deleted at most once in the answers',
    async () => {
      const answers = await asMany(async (index) => {
        if (index % 2 === 0) return bulk({ action: 'delete' });
        expect((await mine.write.delete(`/emails/${emailIds[index % 12]}`)).status).toBe(204);
        return { deletedIds: [] };
      });
      const deleted = answers.flatMap(({ deletedIds }) => deletedIds);
      expect(new Set(deleted).size).toBe(deleted.length);
      expect(new Set((await stored()).map(({ folderType }) => folderType))).toEqual(new Set(['TRASH']));
    },
  );

  whenDatabaseHas('projections', 'arrayUpdates')(
    'apply and remove one label: the counts of the answers explain where it ended',
    async () => {
      const labelId = (await mine.write.post('/labels', { name: 'Contended', color: 'Red' })).body.label.id as string;
      const answers = await asMany(async (index) => {
        const action = index % 2 === 0 ? 'applyLabel' : 'removeLabel';
        return { action, ...(await bulk({ action, labelId })) };
      });
      const sum = (action: string) =>
        answers
          .filter((answer) => answer.action === action)
          .reduce((total, { updatedCount }) => total + updatedCount, 0);
      const emails = await stored();
      const carrying = emails.filter(({ labelIds }) => labelIds.includes(labelId));
      expect(carrying.every(({ labelIds }) => labelIds.length === 1)).toBe(true);
      expect(sum('applyLabel') - sum('removeLabel')).toBe(carrying.length);
    },
  );

  whenDatabaseHas('projections', 'arrayUpdates')(
    'do all of it to the same emails: every call is answered, and every email is in a state that their order explains',
    async () => {
      const labelId = (await mine.write.post('/labels', { name: 'All at once', color: 'Red' })).body.label.id as string;
      const [emailId] = emailIds;
      const kinds = [
        () => mine.write.patch(`/emails/${emailId}`, { isRead: true, isStarred: true }),
        () => mine.write.post(`/emails/${emailId}/labels/${labelId}`),
        () => mine.write.delete(`/emails/${emailId}`),
        () => mine.write.post('/emails/bulk', { action: 'markRead', isRead: true, emailIds }),
        () => mine.write.post('/emails/bulk', { action: 'applyLabel', labelId, emailIds }),
      ];
      const answers = await asMany((index) => kinds[index % kinds.length]!());
      expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
      // Nothing here undoes anything, so that any order of the calls ends in one and the same state.
      const emails = await stored();
      expect(emails[0]).toMatchObject({ isRead: true, isStarred: true, folderType: 'TRASH', labelIds: [labelId] });
      for (const email of emails.slice(1)) {
        expect(email).toMatchObject({ isRead: true, isStarred: false, folderType: 'INBOX', labelIds: [labelId] });
      }
    },
  );
});
