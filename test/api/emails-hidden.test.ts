import { beforeEach, describe, expect, it } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { condition, emailList, minute } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const { put, subjects } = emailList(() => ({ stack, workspace }));

describe('GET /emails where inbox filters and AI labels hide emails', () => {
  const inbox = (parameters: object = {}) => subjects({ folderType: 'INBOX', ...parameters });
  const add = async (type: string, value: string) =>
    (await workspace.write.post('/filters', { type, value })).body.filter.id;

  whenDatabaseHas('expressions')(
    '200 for the plain INBOX without them and for filtered=only with exactly them, by every type of filter',
    async () => {
      const { label } = (await workspace.write.post('/labels', { name: 'L', color: 'Red' })).body;
      await put(
        { subject: 'from a sender', from: { email: 'News@List.example', name: null } },
        { subject: 'from a domain', from: { email: 'x@spam.example', name: null } },
        { subject: 'Wöchentlich hidden' },
        { subject: 'labelled', labelIds: [label.id] },
        { subject: 'seen' },
        { subject: 'sent wöchentlich', folderType: 'SENT' },
      );
      expect(await inbox()).toHaveLength(5);
      expect(await subjects({ filtered: 'only' })).toEqual([]);
      await add('sender', 'news@LIST.example');
      await add('domain', '@spam.example');
      await add('subject', 'WÖCHENTLICH');
      const last = await add('label', label.id);
      expect(await inbox()).toEqual(['seen']);
      const hidden = ['Wöchentlich hidden', 'from a domain', 'from a sender', 'labelled'];
      expect((await subjects({ filtered: 'only' })).sort()).toEqual(hidden);
      expect((await inbox({ filtered: 'only' })).sort()).toEqual(hidden);
      expect(await subjects({ filtered: 'only', folderType: 'SENT' })).toEqual([]);
      expect(await subjects({ filtered: 'only', search: 'domain' })).toEqual(['from a domain']);
      expect(await subjects()).toHaveLength(6);
      expect((await workspace.read.get('/emails/search?q=hidden&folderType=INBOX')).body.items).toHaveLength(1);
      await workspace.write.delete(`/filters/${last}`);
      expect((await inbox()).sort()).toEqual(['labelled', 'seen']);
    },
  );

  whenDatabaseHas('expressions')(
    '200 with a subject that a filter names but for its accents: those are other words',
    async () => {
      await put({ subject: 'El ano pasado' }, { subject: 'El AÑO pasado' }, { subject: 'かき' }, { subject: 'がき' });
      await add('subject', 'año');
      await add('subject', 'かき');
      expect((await inbox()).sort()).toEqual(['El ano pasado', 'がき']);
    },
  );

  it('200 without what an AI label with hideFromInbox holds', async () => {
    const labelId = `ai_${workspace.id}`;
    const owner = { workspaceId: workspace.id, createdAt: minute(0) };
    await stack.collections.labels.create([
      { ...owner, _id: labelId, name: 'AI', nameKey: 'ai', color: 'Blue', isAiLabel: true },
    ]);
    await stack.collections.aiLabelRules.create([
      { ...owner, _id: `rul_${workspace.id}`, labelId, condition: 'x', hideFromInbox: true, updatedAt: minute(0) },
    ]);
    await put({ subject: 'hidden', labelIds: [labelId] }, { subject: 'seen' });
    expect(await inbox()).toEqual(['seen']);
    expect(await subjects({ filtered: 'only' })).toEqual(['hidden']);
    await stack.collections.aiLabelRules.updateOne({ _id: `rul_${workspace.id}` }, { hideFromInbox: false });
    expect((await inbox()).sort()).toEqual(['hidden', 'seen']);
  });
});

describe('GET /emails with viewId', () => {
  const view = async (filters: object) => (await workspace.write.post('/views', { name: 'V', filters })).body.view.id;

  it('200 with what the view matches, narrowed further, and never affected by inbox filters', async () => {
    await put(
      { subject: 'one', from: { email: 'a@hidden.example', name: null }, isRead: true },
      { subject: 'two', from: { email: 'b@hidden.example', name: null } },
      { subject: 'three', folderType: 'SENT' },
    );
    await workspace.write.post('/filters', { type: 'domain', value: 'hidden.example' });
    const viewId = await view(condition('sender_domain', 'equals', 'hidden.example'));
    expect((await subjects({ viewId, folderType: 'INBOX' })).sort()).toEqual(['one', 'two']);
    expect((await subjects({ viewId, filtered: 'only' })).sort()).toEqual(['one', 'two']);
    expect(await subjects({ viewId, filters: condition('read_status', 'is_true') })).toEqual(['one']);
    expect(await subjects({ viewId, search: 'two' })).toEqual(['two']);
    expect(await subjects({ viewId: await view({}) })).toHaveLength(3);
  });

  it('200 with the mailboxes that the view is restricted to', async () => {
    await put({ subject: 'one', mailboxId: 'mbx_1' }, { subject: 'two', mailboxId: 'mbx_2' });
    const viewId = await view({});
    await stack.collections.views.updateOne({ _id: viewId }, { mailboxIds: ['mbx_1'] });
    expect(await subjects({ viewId })).toEqual(['one']);
    expect(await subjects({ viewId, mailboxId: 'mbx_2' })).toEqual([]);
  });

  it('404 VIEW_NOT_FOUND for an unknown view, also one of another workspace', async () => {
    const viewId = await view({});
    const other = await stack.workspace();
    const foreign = await other.read.get(`/emails?viewId=${viewId}`);
    const unknown = await other.read.get('/emails?viewId=viw_never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'VIEW_NOT_FOUND' } });
    expect(foreign.body).toEqual(unknown.body);
  });
});
