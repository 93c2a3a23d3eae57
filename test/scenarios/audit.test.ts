import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActivityServiceDefinition, type ListAuditRequest } from '@postroom/proto/postroom/v1/activity';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Actor } from '@postroom/rpc/actor';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();
const context = createServiceContext({ name: 'test', log: silentLog });
let activity: Client<typeof ActivityServiceDefinition>;
let views: Client<typeof ViewFilterServiceDefinition>;
beforeAll(() => {
  activity = connect(ActivityServiceDefinition, stack.addresses.WORKSPACE_ADDR, { context });
  views = connect(ViewFilterServiceDefinition, stack.addresses.VIEW_FILTER_ADDR, { context });
});
afterAll(() => context.lifecycle.close());

const ANYTHING: ListAuditRequest = {
  actorKind: undefined,
  actorId: undefined,
  action: undefined,
  targetKind: undefined,
  targetId: undefined,
  since: undefined,
  until: undefined,
  limit: 0,
  cursor: undefined,
};
const logOf = (workspaceId: string, asked: Partial<ListAuditRequest> = {}) =>
  activity.listAudit({ ...ANYTHING, ...asked }, { workspaceId });
const actionsOf = async (workspaceId: string, asked: Partial<ListAuditRequest> = {}) =>
  (await logOf(workspaceId, asked)).items.map(({ action }) => action);
const operator: Actor = { kind: 'operator', id: 'operator', name: 'Operator', address: '' };
const ann: Actor = { kind: 'person', id: 'per_ann', name: 'Ann', address: '203.0.113.9' };

describe('the activity of a workspace', () => {
  it('shows changes over the API under the name of the key, with the address of the client', async () => {
    const workspace = await stack.workspace();
    const { secret, id: keyId } = await workspace.createKey({ scopes: ['read', 'write'] });
    const caller = stack.client(secret);
    const { body } = await caller.post('/labels', { name: 'Größe', color: 'red' });
    await caller.get('/labels');
    await caller.patch(`/labels/${body.label.id}`, { color: 'blue' });
    await caller.delete(`/labels/${body.label.id}`);
    await caller.delete('/labels/lbl_there_is_none');
    const { items } = await logOf(workspace.id);
    expect(items.map(({ action, targetId, targetName, outcome }) => [action, targetId, targetName, outcome])).toEqual([
      ['label.deleted', body.label.id, '', 'done'],
      ['label.updated', body.label.id, 'Größe', 'done'],
      ['label.created', body.label.id, 'Größe', 'done'],
    ]);
    expect(items[0]?.actor).toEqual({ kind: 'key', id: keyId, name: 'test', address: '127.0.0.1' });
  });

  it('has one entry for a call, whatever number of emails it changes, and nothing of the mail', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const emailIds = await workspace.ingest(mailbox.id, [{ subject: 'Secret plan' }, { subject: 'Other' }]);
    await workspace.write.patch(`/emails/${emailIds[0]}`, { isRead: true });
    await workspace.write.post('/emails/bulk', { action: 'markRead', emailIds, isRead: true });
    await workspace.write.delete(`/emails/${emailIds[1]}`);
    const { items } = await logOf(workspace.id);
    expect(items.map(({ action, targetId, targetName }) => [action, targetId, targetName])).toEqual([
      ['email.trashed', emailIds[1], ''],
      ['emails.marked', '', '2 emails'],
      ['email.updated', emailIds[0], ''],
    ]);
    expect(JSON.stringify(items)).not.toContain('plan');
  });

  it('shows one creation where a call was repeated under its Idempotency-Key', async () => {
    const workspace = await stack.workspace();
    const once = { headers: { 'Idempotency-Key': 'once' } };
    for (let n = 0; n < 3; n += 1) await workspace.write.post('/labels', { name: 'L', color: 'red' }, once);
    expect(await actionsOf(workspace.id)).toEqual(['label.created']);
  });

  it('shows what operators and people did, and nothing that services did by themselves', async () => {
    const workspace = await stack.workspace();
    expect(await actionsOf(workspace.id)).toEqual([]);
    const key = {
      workspaceId: workspace.id,
      name: 'ci',
      scopes: ['read'],
      allowOutboundSend: false,
      expiresAt: undefined,
    };
    const made = await stack.workspaces.createKey(key, { actor: operator });
    await stack.workspaces.revokeKey({ workspaceId: workspace.id, keyId: made.key?.id ?? '' }, { actor: ann });
    const mailbox = await workspace.connectMailbox({ email: 'box@example.com' });
    await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, { actor: ann });
    await views.createView({ name: 'V', icon: undefined, filtersJson: '{}' } as never, {
      workspaceId: workspace.id,
      actor: ann,
    });
    const { items } = await logOf(workspace.id);
    expect(items.map(({ actor, action, targetName }) => [actor?.name, action, targetName])).toEqual([
      ['Ann', 'view.created', 'V'],
      ['Ann', 'mailbox.disconnected', 'box@example.com'],
      ['Ann', 'key.revoked', 'ci'],
      ['Operator', 'key.created', 'ci'],
    ]);
    expect(JSON.stringify(items)).not.toContain(made.secret);
    expect(items.map(({ targetId }) => targetId === '')).not.toContain(true);
  });
});

describe('the filters of the activity', () => {
  it('narrow by actor, action or its first word, target and time', async () => {
    const { id } = await stack.workspace();
    const key = { workspaceId: id, name: 'ci', scopes: ['read'], allowOutboundSend: false, expiresAt: undefined };
    const made = await stack.workspaces.createKey(key, { actor: operator });
    await stack.workspaces.revokeKey({ workspaceId: id, keyId: made.key?.id ?? '' }, { actor: ann });
    expect(await actionsOf(id, { actorKind: 'operator' })).toEqual(['key.created']);
    expect(await actionsOf(id, { actorId: 'per_ann' })).toEqual(['key.revoked']);
    expect(await actionsOf(id, { action: 'key' })).toEqual(['key.revoked', 'key.created']);
    expect(await actionsOf(id, { action: 'key.created' })).toEqual(['key.created']);
    expect(await actionsOf(id, { action: 'ke' })).toEqual([]);
    expect(await actionsOf(id, { targetKind: 'key', targetId: made.key?.id })).toHaveLength(2);
    expect(await actionsOf(id, { targetKind: 'view' })).toEqual([]);
    const now = new Date().toISOString();
    expect(await actionsOf(id, { since: now })).toEqual([]);
    expect(await actionsOf(id, { until: now })).toHaveLength(2);
  });

  it.each([
    ['an unknown kind of actor', { actorKind: 'god' }, 'actorKind'],
    ['a time that is none', { since: 'yesterday' }, 'since'],
    ['a cursor of nobody', { cursor: 'abc' }, 'cursor'],
    ['an empty action', { action: '' }, 'action'],
  ])('400 VALIDATION_FAILED for %s', async (_title, asked, field) => {
    await expect(logOf('wsp_1', asked)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { [field]: [expect.any(String)] },
    });
  });
});

describe('the pages of the activity', () => {
  it('hold each entry once while others come in, and end', async () => {
    const { id: workspaceId } = await stack.workspace();
    const at = (n: number) => new Date(Date.now() - 60_000 + Math.floor(n / 3));
    const entry = (n: number) => ({
      _id: `aud_${workspaceId}_${String(n).padStart(3, '0')}`,
      workspaceId,
      at: at(n),
      actor: ann,
      action: 'view.created',
      actions: ['view', 'view.created'],
      target: { kind: 'view', id: `${n}`, name: '' },
      outcome: 'done' as const,
      expiresAt: new Date(Date.now() + 60_000),
    });
    await stack.collections.auditEntries.create(Array.from({ length: 25 }, (_, n) => entry(n)));
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor; page += 1) {
      const answer = await logOf(workspaceId, { limit: 10, cursor });
      expect(answer.hasMore).toBe(answer.nextCursor !== undefined);
      seen.push(...answer.items.map(({ targetId }) => targetId));
      cursor = answer.nextCursor;
      await stack.collections.auditEntries.create([entry(100 + page)].map((one) => ({ ...one, at: new Date() })));
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${24 - n}`));
  });

  it('have at most 200 entries, and none that is past its time', async () => {
    const { id: workspaceId } = await stack.workspace();
    const key = { workspaceId, name: 'ci', scopes: ['read'], allowOutboundSend: false, expiresAt: undefined };
    await stack.workspaces.createKey(key, { actor: ann });
    await stack.collections.auditEntries.updateMany({ workspaceId }, { expiresAt: new Date(0) });
    expect((await logOf(workspaceId, { limit: 1_000_000 })).items).toEqual([]);
  });

  it('show nothing of another workspace', async () => {
    const [one, other] = [await stack.workspace(), await stack.workspace()];
    await one.write.post('/labels', { name: 'L', color: 'red' });
    expect(await actionsOf(other.id)).toEqual([]);
    expect(await actionsOf(one.id)).toEqual(['label.created']);
  });
});
