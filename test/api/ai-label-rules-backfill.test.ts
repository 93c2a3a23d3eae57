import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { addressesOf, commandLine } from '../support/command-line.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  [mine, theirs] = [await stack.workspace(), await stack.workspace()];
});

let count = 0;
const create = (more: object = {}, workspace = mine) => {
  const usual = { name: `Rule ${(count += 1)}`, color: 'Pink', condition: 'the email is an invoice' };
  return workspace.write.post('/ai-label-rules', { ...usual, ...more });
};

describe('POST /ai-label-rules/backfill', () => {
  const path = '/ai-label-rules/backfill';
  const tagsIn = async (workspace: TestWorkspace, mailboxId: string): Promise<string[][]> => {
    const { items } = (await workspace.read.get(`/emails?mailboxId=${mailboxId}`)).body;
    return items.map(({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name));
  };

  it('202 with a job for each active mailbox; labels land on the newest of the inbox, and nothing is told but them', async () => {
    const workspace = await stack.workspace();
    const [one, other] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
    const mails = ['2026-01-01', '2026-01-02', '2026-01-03'].map((date) => ({ subject: 'Invoice 1', date }));
    await workspace.ingest(
      one.id,
      mails.map((mail) => ({ ...mail, isHistory: true })),
    );
    await workspace.ingest(other.id, [{ subject: 'Invoice 2', isHistory: true, folderType: 'SENT' }]);
    await create({ name: 'Bills' }, workspace);
    const answer = await workspace.write.post(path, { limit: 2 });
    expect(answer).toMatchObject({ status: 202, body: { jobs: 2 } });
    expect(answer.body.mailboxIds.toSorted()).toEqual([one.id, other.id].toSorted());

    const jobs = async () => (await stack.labelRule.listBackfills({ limit: 10 }, { workspaceId: workspace.id })).items;
    await eventually(async () =>
      expect(new Set((await jobs()).map(({ state }) => state))).toEqual(new Set(['completed'])),
    );
    const postroom = commandLine(addressesOf(stack));
    const shown = await postroom.json('rules', 'backfill-status', '--workspace', workspace.id);
    expect(shown.items).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
    expect((await jobs()).map(({ done, total }) => `${done}/${total}`).toSorted()).toEqual(['0/0', '2/2']);
    expect(await tagsIn(workspace, one.id)).toEqual([['Bills'], ['Bills'], []]);
    expect(await tagsIn(workspace, other.id)).toEqual([[]]);
    expect(
      await stack.collections.emails.countDocuments({ workspaceId: workspace.id, classifiedAt: { $exists: true } }),
    ).toBe(0);
  });

  it('202 without a body, and for one mailbox alone; a repeat under its idempotency key makes no second job', async () => {
    const workspace = await stack.workspace();
    const [mailbox] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
    await create({}, workspace);
    expect(await workspace.write.post(path)).toMatchObject({ status: 202, body: { jobs: 2 } });
    const jobs = { workspaceId: workspace.id };
    await eventually(async () =>
      expect(await stack.collections.backfillJobs.countDocuments({ ...jobs, state: 'completed' })).toBe(2),
    );
    const headers = { 'idempotency-key': 'backfill' };
    for (let n = 0; n < 2; n += 1) {
      const answer = await workspace.write.post(path, { mailboxId: mailbox.id }, { headers });
      expect(answer).toMatchObject({ status: 202, body: { jobs: 1, mailboxIds: [mailbox.id] } });
    }
    expect(await stack.collections.backfillJobs.countDocuments(jobs)).toBe(3);
  });

  it('202 and no second job while one of the mailbox waits: it looks at as many as were asked for last', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    await create({}, workspace);
    const about = { workspaceId: workspace.id, mailboxId: mailbox.id };
    const yesterday = new Date(Date.now() - 2 * 86_400_000);
    const notBefore = new Date(Date.now() + 86_400_000);
    const waiting = { ...about, notBefore, _id: `bfj_${workspace.id}`, limit: 200, state: 'queued', done: 0, total: 0 };
    await stack.collections.backfillJobs.create([{ ...waiting, createdAt: yesterday, updatedAt: yesterday } as never]);
    for (const limit of [200, 20, 201]) {
      const answer = await workspace.write.post(path, { mailboxId: mailbox.id, limit });
      expect(answer).toMatchObject({ status: 202, body: { jobs: 1, mailboxIds: [mailbox.id] } });
      const limits = (await stack.collections.backfillJobs.find(about)).map((job) => job.limit);
      expect(limits).toEqual([Math.max(200, limit)]);
    }
  });

  it.each([
    ['with a limit of 0', { limit: 0 }],
    ['with a limit of 501', { limit: 501 }],
    ['with a limit that is no number', { limit: '5' }],
    ['with an empty mailbox', { mailboxId: '' }],
    ['with a property it does not know', { surprise: 1 }],
  ])('400 VALIDATION_FAILED %s', async (_what, body) => {
    expect(await mine.write.post(path, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('400 VALIDATION_FAILED when the workspace has no AI label rule', async () => {
    const workspace = await stack.workspace();
    await workspace.connectMailbox();
    expect(await workspace.write.post(path)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('404 MAILBOX_NOT_FOUND for an unknown and for a foreign mailbox', async () => {
    const foreign = await theirs.connectMailbox();
    await create();
    for (const mailboxId of ['mbx_unknown', foreign.id]) {
      const answer = await mine.write.post(path, { mailboxId });
      expect(answer).toMatchObject({ status: 404, body: { code: 'MAILBOX_NOT_FOUND' } });
    }
  });
});
