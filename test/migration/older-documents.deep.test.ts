import { beforeAll, describe, expect, it } from '@jest/globals';
import { indexes } from '@postroom/mail-store/indexes';
import type { CollectionName, Collections } from '@postroom/mail-store/collections';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
let emailId: string;
beforeAll(async () => {
  workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox({ aliases: ['alias@example.com'] });
  [emailId = ''] = await workspace.ingest(mailbox.id, [{ subject: 'Older', cc: 'cc@example.com', text: 'Text' }]);
  await workspace.ingest(mailbox.id, [{ subject: 'Draft', folderType: 'DRAFTS', text: 'Draft' }]);
  await workspace.write.post('/labels', { name: 'Label', color: 'Blue' });
  await workspace.write.post('/views', { name: 'View', icon: 'x' });
  await workspace.write.post('/filters', { type: 'subject', value: 'nothing like it' });
  await stack.workspaces.createSignature(
    { workspaceId: workspace.id, name: 'Signature', html: '<p>x</p>', isDefault: true },
    {},
  );
});

const shown = () => ({
  emails: ['/emails', `/emails/${emailId}`, `/emails/${emailId}/body`, '/drafts'],
  bodies: [`/emails/${emailId}/body`, '/drafts'],
  mailboxes: ['/mailboxes'],
  signatures: ['/signatures'],
  labels: ['/labels'],
  views: ['/views'],
  inboxFilters: ['/filters'],
});

/** Queries find documents by these fields, so every stored document has them and the test keeps them. */
const FOUND_BY = new Set(['_id', 'workspaceId', 'folderType', 'date', 'rendered', 'deletedAt', 'status', 'createdAt']);

describe('a document that was stored before one of its fields was there', () => {
  it.each(Object.keys(shown()) as (keyof ReturnType<typeof shown>)[])(
    '200 with the empty value of it, and never the text "undefined": %s',
    async (name) => {
      const collection = stack.collections[name as CollectionName as keyof Collections].collection;
      const stored = await collection.find({ workspaceId: workspace.id }).toArray();
      expect(stored).not.toEqual([]);
      const keys = new Set(indexes[name].flatMap(({ key, unique }) => (unique ? Object.keys(key) : [])));
      const fields = Object.keys(stored[0] ?? {}).filter((field) => !FOUND_BY.has(field) && !keys.has(field));
      const faults: string[] = [];
      for (const field of fields) {
        await collection.updateMany({ workspaceId: workspace.id }, { $unset: { [field]: '' } });
        for (const path of shown()[name]) {
          const { status, body } = await workspace.read.get(path);
          const text = JSON.stringify(body);
          if (status !== 200 || text.includes('undefined')) faults.push(`${path} without ${field}: ${status} ${text}`);
        }
        for (const { _id, [field]: value } of stored) await collection.updateOne({ _id }, { $set: { [field]: value } });
      }
      expect(faults).toEqual([]);
      expect(fields.length).toBeGreaterThan(0);
    },
  );
});
