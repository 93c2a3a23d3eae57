import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { createServiceContext } from '@postroom/runtime/service-context';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let stack: TestStack;
let changes: Client<typeof ChangesServiceDefinition>;
const context = createServiceContext({ name: 'test', logLevel: 'silent' });

beforeAll(async () => {
  stack = await startStack();
  changes = connect(ChangesServiceDefinition, stack.addresses.CHANGES_ADDR, { context });
});
afterAll(async () => {
  await stack.close();
  await context.lifecycle.close();
});

/** The feed once it has this many changes behind a position. */
async function feed({ id: workspaceId }: TestWorkspace, count: number, seq = 0) {
  for (;;) {
    const page = await changes.listChanges({ since: { $case: 'seq', value: seq }, limit: 500 }, { workspaceId });
    const items = page.changes.map((change) => ({ ...change, data: JSON.parse(change.data) as object }));
    if (items.length >= count) return items;
    await changes.watchChanges({ seq: page.nextSeq, waitMs: 5_000 }, { workspaceId });
  }
}

describe('the feed of changes', () => {
  it('numbers every change of an email from 1, each once it is visible', async () => {
    const workspace = await stack.workspace();
    const { write: api } = workspace;
    const mailbox = await workspace.connectMailbox();
    const [emailId = ''] = await workspace.ingest(mailbox.id, [{ isRead: false }]);
    const { body: made } = await api.post('/labels', { name: 'Urgent', color: 'Red' });
    const tagId = (made as { label: { id: string } }).label.id;
    await api.patch(`/emails/${emailId}`, { isRead: true, isStarred: true });
    await api.post(`/emails/${emailId}/labels/${tagId}`);
    await api.delete(`/labels/${tagId}`);
    const items = await feed(workspace, 5);
    expect(items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(items.map(({ event }) => event).toSorted()).toEqual(
      ['email.received', 'email.updated', 'email.updated', 'label.applied', 'label.removed'].toSorted(),
    );
    const of = (event: string) => items.filter((item) => item.event === event).map(({ data }) => data);
    expect(of('email.updated')).toEqual(
      expect.arrayContaining([
        { emailId, changes: { isRead: true } },
        { emailId, changes: { isStarred: true } },
      ]),
    );
    expect(of('label.applied')).toEqual([{ emailId, tagId, tagName: 'Urgent', isAiLabel: false }]);
    expect(of('label.removed')).toEqual([{ emailId, tagId }]);
    await api.delete(`/emails/${emailId}`);
    const [last] = await feed(workspace, 1, 5);
    expect(last).toMatchObject({ seq: 6, event: 'email.deleted', data: { emailId } });
  });
});
