import { beforeAll, describe, expect } from '@jest/globals';
import { openStack } from '@postroom/local/stack';
import { eventually } from '../engines/eventually.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

interface ListedEmail {
  id: string;
  tags: { id: string; name: string }[];
}

const stack = useStack();
let mine: TestWorkspace;
let emailIds: string[];

const HOW_MANY = 300;

beforeAll(async () => {
  mine = await stack.workspace();
  const { id } = await mine.connectMailbox();
  emailIds = await mine.ingest(
    id,
    Array.from({ length: HOW_MANY }, (_, index) => ({ subject: `Mail ${index}` })),
  );
});

const listed = async (query = '') => (await mine.read.get(`/emails?limit=200${query}`)).body.items as ListedEmail[];

const carriersOf = (labelId: string) =>
  stack.collections.emails.find({ workspaceId: mine.id, labelIds: labelId }, { _id: 1 }).lean();

async function labelOnEveryEmail(name: string): Promise<string> {
  const { id: labelId } = (await mine.write.post('/labels', { name, color: 'Red' })).body.label;
  const answer = await mine.write.post('/emails/bulk', { action: 'applyLabel', emailIds, labelId });
  expect(answer.body.updatedCount).toBe(HOW_MANY);
  return labelId;
}

describe('deleting a label that many emails carry', () => {
  whenDatabaseHas('arrayUpdates')(
    'no listing shows it from the moment of the 204 on, and in the end no email carries it',
    async () => {
      const labelId = await labelOnEveryEmail('Going');
      expect((await mine.write.delete(`/labels/${labelId}`)).status).toBe(204);

      for (let time = 0; time < 5; time += 1) {
        expect((await listed()).filter(({ tags }) => tags.length > 0)).toEqual([]);
      }
      const search = await mine.read.get('/emails/search?q=mail&limit=200');
      expect(search.body.items.filter(({ tags }: ListedEmail) => tags.length > 0)).toEqual([]);

      await eventually(async () => {
        const carriers = await stack.collections.emails
          .find({ workspaceId: mine.id, labelIds: labelId }, { _id: 1 })
          .lean();
        expect(carriers).toEqual([]);
      });
    },
  );

  whenDatabaseHas('arrayUpdates')(
    'takes the inbox filters that target it along, and what they hid is in the inbox again',
    async () => {
      const labelId = await labelOnEveryEmail('Hiding');
      const filter = (await mine.write.post('/filters', { type: 'label', value: labelId })).body.filter;
      expect(await listed('&folderType=INBOX')).toEqual([]);

      await mine.write.delete(`/labels/${labelId}`);
      expect((await mine.read.get('/filters')).body).toEqual({ items: [] });
      expect((await mine.read.get(`/filters/${filter.id}`)).body.code).toBe('FILTER_NOT_FOUND');
      expect(await listed('&folderType=INBOX')).toHaveLength(200);
    },
  );

  whenDatabaseHas('arrayUpdates')('leaves its name to a new label, which no email carries', async () => {
    await mine.write.delete(`/labels/${await labelOnEveryEmail('Again')}`);
    const { status, body } = await mine.write.post('/labels', { name: 'AGAIN', color: 'Blue' });
    expect(status).toBe(201);
    expect((await listed()).flatMap(({ tags }) => tags)).toEqual([]);
    await mine.write.delete(`/labels/${body.label.id}`);
  });
});

describe('a deletion that a crash cut off after its first write', () => {
  whenDatabaseHas('arrayUpdates')('is finished by the next start, and then nothing is left of the label', async () => {
    const labelId = await labelOnEveryEmail('Cut off');
    const aMinuteAgo = new Date(Date.now() - 60_000);
    const tombstone = { deletedAt: aMinuteAgo, nameKey: `DELETED ${labelId}` };
    await stack.collections.labels.updateOne({ _id: labelId }, { $set: tombstone });
    expect((await listed()).flatMap(({ tags }) => tags)).toEqual([]);

    const next = await openStack({ mongodbUri: stack.mongodbUri, logLevel: 'silent' });
    await eventually(async () => {
      expect(await carriersOf(labelId)).toEqual([]);
      expect(await stack.collections.labels.find({ _id: labelId }).lean()).toEqual([]);
    });
    await next.close();
  });
});

describe('renaming a label that many emails carry', () => {
  whenDatabaseHas('arrayUpdates')('every listing shows the new name at once', async () => {
    const labelId = await labelOnEveryEmail('Before');
    await mine.write.patch(`/labels/${labelId}`, { name: 'After' });
    const names = (await listed()).flatMap(({ tags }) => tags.map(({ name }) => name));
    expect(names).toEqual(Array.from({ length: 200 }, () => 'After'));
  });
});
