import { beforeAll, describe, expect, it } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { mineAndTheirs } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;
let emailIds: string[];
let foreignId: string;

beforeAll(async () => {
  ({ mine, theirs, emailIds, foreignId } = await mineAndTheirs(stack, 10));
});

const next = () => emailIds.pop() ?? '';

describe('PATCH /emails/{emailId}', () => {
  whenDatabaseHas('projections')('200 with the whole email as the change left it', async () => {
    const id = next();
    const before = (await mine.read.get(`/emails/${id}`)).body.email;
    const answer = await mine.write.patch(`/emails/${id}`, { isRead: true, isStarred: true });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ email: { ...before, isRead: true, isStarred: true } });
    expect((await mine.read.get(`/emails/${id}`)).body).toEqual(answer.body);
  });

  whenDatabaseHas('projections')('200 with one flag leaves the other, and 200 again when nothing changes', async () => {
    const id = next();
    await mine.write.patch(`/emails/${id}`, { isStarred: true });
    for (let time = 0; time < 2; time += 1) {
      const answer = await mine.write.patch(`/emails/${id}`, { isRead: true });
      expect(answer).toMatchObject({ status: 200, body: { email: { isRead: true, isStarred: true } } });
    }
    const unstarred = await mine.write.patch(`/emails/${id}`, { isRead: false, isStarred: false });
    expect(unstarred.body.email).toMatchObject({ isRead: false, isStarred: false });
  });

  it.each([
    ['with neither flag', {}],
    ['with a flag that is no boolean', { isRead: 'yes' }],
    ['with a flag that is null', { isStarred: null }],
    ['with a list', []],
  ])('400 VALIDATION_FAILED %s', async (_what, body) => {
    const answer = await mine.write.patch(`/emails/${emailIds[0]}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('404 NOT_FOUND for an unknown email, and the same bytes for a foreign one', async () => {
    const [unknown, foreign] = [
      await mine.write.patch('/emails/eml_unknown', { isRead: true }),
      await mine.write.patch(`/emails/${foreignId}`, { isRead: true }),
    ];
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(foreign.body).toEqual(unknown.body);
    expect((await theirs.read.get(`/emails/${foreignId}`)).body.email.isRead).toBe(false);
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    const answer = await mine.read.patch(`/emails/${emailIds[0]}`, { isRead: true });
    expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
  });

  it('400 REQUEST_ERROR when the body is not JSON', async () => {
    const answer = await mine.write.request('PATCH', `/emails/${emailIds[0]}`, { raw: 'isRead=true' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });
});

describe('DELETE /emails/{emailId}', () => {
  whenDatabaseHas('projections')('204 without a body: the email is in the trash and in no other folder', async () => {
    const id = next();
    const answer = await mine.write.delete(`/emails/${id}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    const inFolder = async (folderType: string) =>
      (await mine.read.get(`/emails?folderType=${folderType}&limit=200`)).body.items.map(
        (email: { id: string }) => email.id,
      );
    expect(await inFolder('TRASH')).toContain(id);
    expect(await inFolder('INBOX')).not.toContain(id);
    const { folders } = (await mine.read.get('/mailboxes')).body.items[0];
    const trash = folders.find(({ type }: { type: string }) => type === 'TRASH');
    expect((await mine.read.get(`/emails/${id}`)).body.email.folderId).toBe(trash.id);
  });

  whenDatabaseHas('projections')('204 again when it is in the trash already', async () => {
    const id = next();
    await mine.write.delete(`/emails/${id}`);
    expect((await mine.write.delete(`/emails/${id}`)).status).toBe(204);
  });

  it('400 NO_TRASH_FOLDER when the mailbox has none; the email stays', async () => {
    const { id: mailboxId } = await mine.connectMailbox({ withoutTrash: true });
    const [id = ''] = await mine.ingest(mailboxId, [{}]);
    const answer = await mine.write.delete(`/emails/${id}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'NO_TRASH_FOLDER' } });
    const inbox = await mine.read.get(`/emails?folderType=INBOX&mailboxId=${mailboxId}`);
    expect(inbox.body.items).toHaveLength(1);
  });

  it('404 NOT_FOUND for an unknown email, and the same bytes for a foreign one', async () => {
    const [unknown, foreign] = [
      await mine.write.delete('/emails/eml_unknown'),
      await mine.write.delete(`/emails/${foreignId}`),
    ];
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(foreign.body).toEqual(unknown.body);
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    expect((await mine.read.delete(`/emails/${emailIds[0]}`)).body.code).toBe('INSUFFICIENT_SCOPE');
  });
});
