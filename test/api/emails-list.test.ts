import { beforeEach, describe, expect, it } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { condition, emailList, minute, queryOf } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const { put, list, subjects } = emailList(() => ({ stack, workspace }));

describe('GET /emails', () => {
  it('200 with an empty page in an empty workspace', async () => {
    expect((await list()).body).toEqual({ items: [], nextCursor: null, hasMore: false });
  });

  whenDatabaseHas('projections')('200 with every field of a list item, bcc and body not among them', async () => {
    const mailbox = await workspace.connectMailbox();
    const [id] = await workspace.ingest(mailbox.id, [
      {
        subject: 'Käse 🧀 "quoted"',
        from: '"Ann" <Ann@Sender.example>',
        cc: 'c@d.example',
        date: minute(0),
        text: 'Hi Bob',
      },
    ]);
    const { label } = (await workspace.write.post('/labels', { name: 'Größe 1', color: 'Red' })).body;
    await workspace.write.post(`/emails/${id}/labels/${label.id}`);
    const { items } = (await list()).body;
    const { createdAt: _createdAt, ...tag } = label;
    expect(items).toEqual([
      {
        id,
        mailboxId: mailbox.id,
        folderId: mailbox.folders.find(({ type }) => type === 'INBOX')?.id,
        threadId: expect.any(String),
        messageId: expect.stringMatching(/^<.*@sender.example>$/),
        inReplyTo: null,
        references: [],
        from: { email: expect.stringMatching(/^ann@sender\.example$/i), name: 'Ann' },
        to: [{ email: 'bob@example.com', name: 'Bob' }],
        cc: [{ email: 'c@d.example', name: null }],
        subject: 'Käse 🧀 "quoted"',
        snippet: 'Hi Bob',
        date: '2026-03-01T00:00:00.000Z',
        isRead: false,
        isStarred: false,
        isDraft: false,
        hasAttachments: false,
        attachments: [],
        tags: [tag],
        waitingForReply: false,
      },
    ]);
  });

  it('200 by date, most recent first, ties by id, over as many pages as it takes', async () => {
    await put(...Array.from({ length: 23 }, (_, n) => ({ subject: `${n}`, date: minute(Math.floor(n / 5)) })));
    const seen: { id: string; date: string }[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 4; page++) {
      const { body } = await list({ limit: page === 0 ? 3 : 10, ...(cursor && { cursor }) });
      seen.push(...body.items);
      cursor = body.nextCursor;
      expect(body.hasMore).toBe(cursor !== null);
      if (!cursor) break;
    }
    const inOrder = [...seen].sort(
      (a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : a.id < b.id ? 1 : -1) as number,
    );
    expect(new Set(seen.map(({ id }) => id)).size).toBe(23);
    expect(seen).toEqual(inOrder);
  });

  it('200 without another page when the last email is the last of the page', async () => {
    await put({ subject: 'a' }, { subject: 'b' });
    expect((await list({ limit: 2 })).body).toMatchObject({ nextCursor: null, hasMore: false });
  });

  it('200 with 50 by default and for a limit that cannot be read, and 200 at most', async () => {
    await put(...Array.from({ length: 205 }, (_, n) => ({ date: minute(n) })));
    for (const [limit, count] of [
      ['', 50],
      ['0', 50],
      ['-1', 50],
      ['ten', 50],
      ['1.5', 50],
      ['1', 1],
      ['200', 200],
      ['201', 200],
      ['99999', 200],
    ] as const) {
      expect([limit, (await list({ limit })).body.items.length]).toEqual([limit, count]);
    }
  });

  it('200 narrowed by mailbox and by folder; an unknown or foreign mailbox is an empty page', async () => {
    await put(
      { subject: 'in one', mailboxId: 'mbx_1' },
      { subject: 'sent of one', mailboxId: 'mbx_1', folderType: 'SENT' },
      { subject: 'in two', mailboxId: 'mbx_2' },
    );
    expect((await subjects({ mailboxId: 'mbx_1' })).sort()).toEqual(['in one', 'sent of one']);
    expect(await subjects({ folderType: 'SENT' })).toEqual(['sent of one']);
    expect(await subjects({ mailboxId: 'mbx_1', folderType: 'INBOX' })).toEqual(['in one']);
    expect(await subjects({ folderType: 'TRASH' })).toEqual([]);
    expect(await subjects({ mailboxId: 'mbx_never' })).toEqual([]);
    const other = await stack.workspace();
    expect((await other.read.get('/emails?mailboxId=mbx_1')).body.items).toEqual([]);
  });

  it('400 VALIDATION_FAILED for an unknown folder type or an unknown word for filtered', async () => {
    expect(await list({ folderType: 'inbox' })).toMatchObject({
      status: 400,
      body: { details: { folderType: [expect.any(String)] } },
    });
    expect(await list({ filtered: 'yes' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('400 VALIDATION_FAILED for a cursor that is not of this query', async () => {
    await put({}, {});
    const { nextCursor } = (await list({ limit: 1 })).body;
    expect((await list({ limit: 7, cursor: nextCursor })).status).toBe(200);
    const other = await stack.workspace();
    const answers = await Promise.all([
      list({ cursor: 'abc' }),
      list({ cursor: '' }),
      list({ cursor: `${nextCursor.slice(0, -2)}AA` }),
      list({ cursor: nextCursor, folderType: 'INBOX' }),
      list({ cursor: nextCursor, search: 'hello' }),
      workspace.read.get(`/emails/search?${queryOf({ q: 'hello', cursor: nextCursor })}`),
      other.read.get(`/emails?${queryOf({ cursor: nextCursor })}`),
    ]);
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: { cursor: [expect.any(String)] } },
      });
    }
  });

  it('200 with the keywords of search, whatever their case and accents; short terms are passed over', async () => {
    await put(
      { subject: 'Café menu' },
      { subject: 'Other', text: 'the CAFE menu' },
      { subject: 'Menu' },
      { subject: 'Привет мир' },
    );
    expect((await subjects({ search: 'cafe MENU' })).sort()).toEqual(['Café menu', 'Other']);
    expect(await subjects({ search: 'привет x' })).toEqual(['Привет мир']);
    expect(await subjects({ search: 'a' })).toHaveLength(4);
    expect(await subjects({ search: '' })).toHaveLength(4);
    expect(await subjects({ search: '.*' })).toEqual([]);
    expect(await subjects({ search: '$where' })).toEqual([]);
  });

  it('200 without a label from the moment it is deleted', async () => {
    const { label } = (await workspace.write.post('/labels', { name: 'Gone', color: 'Red' })).body;
    await put({ labelIds: [label.id, 'lbl_never'] });
    expect((await list()).body.items[0].tags).toMatchObject([{ id: label.id, name: 'Gone', isAiLabel: false }]);
    await workspace.write.delete(`/labels/${label.id}`);
    expect((await list()).body.items[0].tags).toEqual([]);
  });
});

describe('GET /emails with filters', () => {
  whenDatabaseHas('expressions')('200 with what the tree matches, alone and with other parameters', async () => {
    await put(
      { subject: 'Invoice 1', isRead: true, from: { email: 'billing@shop.example', name: null } },
      { subject: 'Invoice 2', isStarred: true },
      { subject: 'Lunch', isRead: true, hasAttachments: true, folderType: 'SENT' },
    );
    const invoice = condition('subject', 'starts_with', 'INVOICE');
    const read = condition('read_status', 'is_true');
    expect((await subjects({ filters: invoice })).sort()).toEqual(['Invoice 1', 'Invoice 2']);
    expect(await subjects({ filters: { id: 'g', _and: [invoice, read] } })).toEqual(['Invoice 1']);
    expect(await subjects({ filters: { id: 'g', _or: [invoice, read] } })).toHaveLength(3);
    expect(await subjects({ filters: read, folderType: 'SENT' })).toEqual(['Lunch']);
    expect(await subjects({ filters: condition('from', 'equals', 'Billing@Shop.example') })).toEqual(['Invoice 1']);
    expect(await subjects({ filters: condition('sender_domain', 'equals', '@SHOP.example') })).toEqual(['Invoice 1']);
    expect(await subjects({ filters: {} })).toHaveLength(3);
    expect(await subjects({ filters: { id: 'g', _or: [] } })).toEqual([]);
    expect(await subjects({ filters: condition('subject', 'contains', '.*') })).toEqual([]);
  });

  whenDatabaseHas('expressions')('200 with text in any case and with its own accents', async () => {
    await put({ subject: 'Résumé' }, { subject: 'Resume' }, { subject: 'STRASSE ΟΔΟΣ' });
    expect(await subjects({ filters: condition('subject', 'equals', 'RÉSUMÉ') })).toEqual(['Résumé']);
    expect(await subjects({ filters: condition('subject', 'contains', 'RESU') })).toEqual(['Resume']);
    expect(await subjects({ filters: condition('subject', 'contains', 're\u0301') })).toEqual(['Résumé']);
    expect(await subjects({ filters: condition('subject', 'equals', 'straße οδοσ') })).toEqual(['STRASSE ΟΔΟΣ']);
  });

  it('200 with AI labels and manual labels told apart', async () => {
    await stack.collections.labels.create([
      {
        _id: `ai_${workspace.id}`,
        workspaceId: workspace.id,
        name: 'AI',
        nameKey: 'ai',
        color: 'Blue',
        isAiLabel: true,
        createdAt: minute(0),
      },
    ]);
    const { label } = (await workspace.write.post('/labels', { name: 'Manual', color: 'Red' })).body;
    await put(
      { subject: 'by ai', labelIds: [`ai_${workspace.id}`] },
      { subject: 'by hand', labelIds: [label.id] },
      { subject: 'none' },
    );
    expect(await subjects({ filters: condition('ai_label', 'contains', `ai_${workspace.id}`) })).toEqual(['by ai']);
    expect(await subjects({ filters: condition('ai_label', 'contains', label.id) })).toEqual([]);
    expect((await subjects({ filters: condition('ai_label', 'is_empty') })).sort()).toEqual(['by hand', 'none']);
    expect(await subjects({ filters: condition('label', 'is_empty') })).toEqual(['none']);
    expect((await subjects({ filters: condition('label', 'not_contains', label.id) })).sort()).toEqual([
      'by ai',
      'none',
    ]);
  });

  it('400 VALIDATION_FAILED with the path of the fault, for a bound and for more than 8 KB', async () => {
    const bad = await list({
      filters: { id: 'g', _and: [condition('read_status', 'is_true'), condition('subject', 'like', 'x')] },
    });
    expect(bad).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: { 'filters._and[1].type': [expect.any(String)] } },
    });
    for (const filters of ['{', 'null', '[]', ' '.repeat(8_193)]) {
      expect(await list({ filters })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: { filters: expect.anything() } },
      });
    }
    expect(await list({ filters: condition('subject', 'contains', 'x'.repeat(501)) })).toMatchObject({
      status: 400,
      body: { details: { 'filters.value': [expect.any(String)] } },
    });
  });

  it('200 for the largest tree there may be, percent-encoded to three times its size', async () => {
    const filters = JSON.stringify({
      id: 'é'.repeat(64),
      _and: Array.from({ length: 7 }, () => condition('subject', 'contains', 'é'.repeat(500))),
    });
    expect(Buffer.byteLength(filters)).toBeLessThanOrEqual(8_192);
    expect(await subjects({ filters })).toEqual([]);
  });

  it('200 with pages of at most 8 MB, however many labels the emails carry, and each email once', async () => {
    const labels = Array.from({ length: 500 }, (_, n) => ({
      _id: `${workspace.id}_${n}`,
      workspaceId: workspace.id,
      name: `${'🎉'.repeat(45)}${n}`,
      nameKey: `${n}`,
      color: '🎉'.repeat(32),
      isAiLabel: false,
      createdAt: minute(n),
      deletedAt: null,
    }));
    await stack.collections.labels.collection.insertMany(labels as never[]);
    const labelIds = labels.map(({ _id }) => _id);
    const emails = await put(...Array.from({ length: 60 }, (_, n) => ({ date: minute(n), labelIds })));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await list({ limit: 200, ...(cursor && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(8.1 * 1024 * 1024);
      expect(body.items.length).toBeGreaterThan(1);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(emails.map(({ _id }) => _id).toReversed());
  });
});
