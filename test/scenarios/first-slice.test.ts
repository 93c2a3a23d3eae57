import { describe, expect } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

describe('from HTTP to the database and back', () => {
  whenDatabaseHas('projections')('a mail that comes in is listed, found, read, labelled and trashed', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [id] = await workspace.ingest(mailbox.id, [{ subject: 'Lunch on Friday?', text: 'Shall we meet at noon?' }]);

    const listed = await workspace.read.get('/emails');
    expect(listed.status).toBe(200);
    expect(listed.body.items.map((item: { id: string }) => item.id)).toEqual([id]);
    const found = await workspace.read.get('/emails/search?q=lunch');
    expect(found.body.items[0].subject).toBe('Lunch on Friday?');
    expect((await workspace.read.get(`/emails/${id}/body`)).body.body.text).toContain('noon');

    const label = await workspace.write.post('/labels', { name: 'Lunch', color: 'Green' });
    expect(label.status).toBe(201);
    const labelled = await workspace.write.post(`/emails/${id}/labels/${label.body.label.id}`);
    expect(labelled.body.labels).toEqual([expect.objectContaining({ name: 'Lunch' })]);
    expect((await workspace.write.delete(`/emails/${id}`)).status).toBe(204);
    expect((await workspace.read.get('/emails?folderType=TRASH')).body.items[0]).toMatchObject({
      id,
      tags: [{ name: 'Lunch' }],
    });
  });
});
