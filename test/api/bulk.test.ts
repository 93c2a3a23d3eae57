import { beforeAll, describe, expect, it } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { storeAiLabel } from '../support/ai-label.ts';
import { emailDocument } from '../support/email-document.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let mailboxId: string;
let foreignEmailId: string;
let foreignLabelId: string;

beforeAll(async () => {
  const theirs = await stack.workspace();
  mine = await stack.workspace();
  mailboxId = (await mine.connectMailbox()).id;
  [foreignEmailId = ''] = await theirs.ingest((await theirs.connectMailbox()).id, [{}]);
  foreignLabelId = (await theirs.write.post('/labels', { name: 'Theirs', color: 'Red' })).body.label.id;
});

const emails = (howMany: number, parts: { isRead?: boolean; folderType?: 'TRASH' } = {}) =>
  mine.ingest(
    mailboxId,
    Array.from({ length: howMany }, () => parts),
  );
const bulk = (body: unknown, workspace = mine) => workspace.write.post('/emails/bulk', body);
let count = 0;
const createLabel = async () =>
  (await mine.write.post('/labels', { name: `Label ${(count += 1)}`, color: 'Red' })).body.label.id as string;

describe('POST /emails/bulk markRead', () => {
  it('200 with each id once, where it belongs', async () => {
    const [unread, read] = [await emails(3), await emails(2, { isRead: true })];
    const emailIds = [...unread, ...read, 'eml_unknown', foreignEmailId, ...unread];
    const answer = await bulk({ action: 'markRead', emailIds, isRead: true });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      updatedIds: unread,
      unchangedIds: read,
      skippedIds: ['eml_unknown', foreignEmailId],
      isRead: true,
    });
    expect((await mine.read.get(`/emails/${unread[0]}`)).body.email.isRead).toBe(true);
  });

  it('200 marks unread as well', async () => {
    const read = await emails(1, { isRead: true });
    const answer = await bulk({ action: 'markRead', emailIds: read, isRead: false });
    expect(answer.body).toEqual({ updatedIds: read, unchangedIds: [], skippedIds: [], isRead: false });
  });
});

describe('POST /emails/bulk delete', () => {
  it('200 tells the deleted, the skipped and those without a trash folder apart', async () => {
    const [movable, trashed] = [await emails(2), await emails(1, { folderType: 'TRASH' })];
    const { id: withoutTrash } = await mine.connectMailbox({ withoutTrash: true });
    const stuck = await mine.ingest(withoutTrash, [{}]);
    const emailIds = [...stuck, ...trashed, 'eml_unknown', foreignEmailId, ...movable];
    const first = await bulk({ action: 'delete', emailIds });
    expect([first.status, first.body]).toEqual([
      200,
      { deletedIds: movable, skippedIds: [...trashed, 'eml_unknown', foreignEmailId], noTrashIds: stuck },
    ]);
    const again = await bulk({ action: 'delete', emailIds: movable });
    expect(again.body).toEqual({ deletedIds: [], skippedIds: movable, noTrashIds: [] });
  });
});

describe('POST /emails/bulk applyLabel and removeLabel', () => {
  whenDatabaseHas('projections')('200 counts the labels really added or removed', async () => {
    const [labelId, emailIds] = [await createLabel(), await emails(3)];
    await mine.write.post(`/emails/${emailIds[0]}/labels/${labelId}`);
    const asked = [...emailIds, 'eml_unknown', foreignEmailId];
    const outcome = { labelId, emailIds, skippedIds: ['eml_unknown', foreignEmailId] };
    const applied = await bulk({ action: 'applyLabel', emailIds: asked, labelId });
    expect([applied.status, applied.body]).toEqual([200, { ...outcome, updatedCount: 2 }]);
    const removed = await bulk({ action: 'removeLabel', emailIds: asked, labelId });
    expect([removed.status, removed.body]).toEqual([200, { ...outcome, updatedCount: 3 }]);
    expect((await bulk({ action: 'removeLabel', emailIds: asked, labelId })).body.updatedCount).toBe(0);
  });

  it.each(['applyLabel', 'removeLabel'])('404 LABEL_NOT_FOUND, 400 INVALID_TAG for %s', async (action) => {
    const emailIds = await emails(1);
    const clever = await storeAiLabel(stack, mine.id, `Clever ${action}`);
    const unknown = await bulk({ action, emailIds, labelId: 'lbl_unknown' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'LABEL_NOT_FOUND' } });
    expect((await bulk({ action, emailIds, labelId: foreignLabelId })).body).toEqual(unknown.body);
    expect(await bulk({ action, emailIds, labelId: clever })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_TAG' },
    });
  });
});

describe('POST /emails/bulk', () => {
  it.each([
    ['with an unknown action', { action: 'archive', emailIds: ['a'] }],
    ['without emails', { action: 'delete' }],
    ['with no emails', { action: 'delete', emailIds: [] }],
    ['with 501 emails', { action: 'delete', emailIds: Array.from({ length: 501 }, (_, index) => `eml_${index}`) }],
    ['with ids that are no text', { action: 'delete', emailIds: [1] }],
    ['without isRead for markRead', { action: 'markRead', emailIds: ['a'] }],
    ['without labelId for applyLabel', { action: 'applyLabel', emailIds: ['a'] }],
    ['without a body', undefined],
  ])('400 %s', async (_what, body) => {
    const answer = await bulk(body);
    expect(answer.status).toBe(400);
    expect(['VALIDATION_FAILED', 'REQUEST_ERROR']).toContain(answer.body.code);
  });

  whenDatabaseHas('arrayUpdates')('200 for 500 emails', async () => {
    const workspace = await stack.workspace();
    const { id } = await workspace.connectMailbox();
    const emailIds = await workspace.ingest(
      id,
      Array.from({ length: 100 }, () => ({})),
    );
    const unknown = Array.from({ length: 400 }, (_, index) => `eml_unknown${index}`);
    const answer = await bulk({ action: 'markRead', isRead: true, emailIds: [...emailIds, ...unknown] }, workspace);
    expect(answer.body).toEqual({ updatedIds: emailIds, unchangedIds: [], skippedIds: unknown, isRead: true });
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    const answer = await mine.read.post('/emails/bulk', { action: 'delete', emailIds: ['a'] });
    expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
  });

  whenDatabaseHas('projections')('200 replays under its idempotency key without doing it again', async () => {
    const emailIds = await emails(1);
    const headers = { 'idempotency-key': 'bulk-once' };
    const body = { action: 'markRead', emailIds, isRead: true };
    const first = await mine.write.post('/emails/bulk', body, { headers });
    await mine.write.patch(`/emails/${emailIds[0]}`, { isRead: false });
    const again = await mine.write.post('/emails/bulk', body, { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await mine.read.get(`/emails/${emailIds[0]}`)).body.email.isRead).toBe(false);
  });
});

describe('the quota of POST /emails/bulk', () => {
  const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-quota-remaining'));
  const leftNow = async () => left(await mine.read.get('/labels'));

  it('costs one unit for each email processed: skipped and repeated ids cost nothing', async () => {
    const [unread, read] = [await emails(3), await emails(2, { isRead: true })];
    const before = await leftNow();
    const emailIds = [...unread, ...read, ...unread, 'eml_unknown', foreignEmailId];
    const answer = await bulk({ action: 'markRead', emailIds, isRead: true });
    expect(before - left(answer)).toBe(5);
    expect(await leftNow()).toBe(left(answer) - 1);
  });

  it('costs one unit when every id is skipped, when it is refused, and when it does not validate', async () => {
    const labelId = 'lbl_unknown';
    for (const body of [
      { action: 'delete', emailIds: ['eml_a', 'eml_b'] },
      { action: 'applyLabel', emailIds: await emails(3), labelId },
      { action: 'delete', emailIds: [] },
    ]) {
      const before = await leftNow();
      expect(before - left(await bulk(body))).toBe(1);
    }
  });

  it('429 QUOTA_EXCEEDED when not enough is left: nothing is done, nothing is charged', async () => {
    const workspace = await stack.workspace({ plan: 'free' });
    const mailbox = await workspace.connectMailbox();
    const made = Array.from({ length: 500 }, () => emailDocument({ workspaceId: workspace.id, mailboxId: mailbox.id }));
    await stack.collections.emails.insertMany(made);
    const [emailId = '', ...known] = made.map(({ _id }) => _id);
    // 10,000 a month: nineteen full calls of 500 and one of 499 leave a single unit. Unchanged emails are processed, too.
    for (let call = 0; call < 19; call += 1) {
      await bulk({ action: 'markRead', isRead: false, emailIds: [emailId, ...known] }, workspace);
    }
    const answer = await bulk({ action: 'markRead', isRead: false, emailIds: known }, workspace);
    expect(left(answer)).toBe(1);

    const refused = await bulk({ action: 'delete', emailIds: [emailId, 'eml_unknown'] }, workspace);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'QUOTA_EXCEEDED', details: { quota: 10_000, used: 9_999 } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(left(refused)).toBe(1);
    const allowed = await bulk({ action: 'delete', emailIds: [emailId] }, workspace);
    expect(allowed).toMatchObject({ status: 200, body: { deletedIds: [emailId] } });
    expect(left(allowed)).toBe(0);
  });
});
