import { describe, expect, it } from '@jest/globals';
import type { DraftAnswer, DraftRowAnswer } from '@postroom/app/answers';
import type { AppPeople } from '../support/app-client.ts';
import type { TestStack } from '../support/stack.ts';
import { emailDocument } from '../support/email-document.ts';
import { openWaitingApproval, storeGrant } from '../support/agents.ts';
import { openWaitingReply } from '../support/waiting-reply.ts';

/** A workspace with a reply that waits, its owner and a member. */
async function openReply(stack: TestStack, people: AppPeople) {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const [owner, member] = [await people.joined(workspace.id, 'owner'), await people.joined(workspace.id, 'member')];
  const id = await openWaitingReply(stack, workspace.id, mailbox, 'Tuesday?');
  const drafts = `${owner.workspace}/drafts`;
  const list = async (): Promise<DraftRowAnswer[]> => (await member.call('GET', drafts)).json.items;
  const read = async (draftId: string): Promise<DraftAnswer> =>
    (await member.call('GET', `${drafts}/${draftId}`)).json.draft;
  const put = (seen: { id: string; date: string }, text: string) =>
    owner.call('PUT', `${drafts}/${seen.id}`, {
      body: { seenDate: seen.date, to: [{ email: 'eve@other.example' }], subject: 'Re: Tuesday?', text },
    });
  const stateOf = async () =>
    (await stack.collections.sends.findOne({ workspaceId: workspace.id, kind: 'reply' }).lean())?.state;
  return { workspace, mailbox, owner, member, id, drafts, list, read, put, stateOf };
}

export function describeDrafts(stack: TestStack, people: () => AppPeople): void {
  const opened = () => openReply(stack, people());
  describeList(stack, opened);
  describeTexts(stack, opened);
  describeDiscarding(stack, opened);
  describeAsked(stack, people);

  describe('a reply that waits', () => {
    it('is shown in full with its time, is canceled by a member, and stays a draft', async () => {
      const { id, member, drafts, list, read, stateOf } = await opened();
      const [shown] = await list();
      expect(shown).toMatchObject({ id, snippet: 'Tuesday is fine.', ruleId: 'alr_unknown', isLeaving: false });
      expect(await read(id)).toEqual({ ...shown, text: 'Tuesday is fine.', html: null, hidesText: false });
      expect(Date.parse(shown?.sendAt ?? '')).toBeGreaterThan(Date.now());
      const seen = { body: { seenDate: shown?.date } };
      expect((await member.call('POST', `${drafts}/${id}/send`, seen)).status).toBe(403);
      expect((await member.call('POST', `${drafts}/${id}/cancel`)).status).toBe(204);
      expect((await member.call('POST', `${drafts}/${id}/cancel`)).status).toBe(204);
      expect([await stateOf(), (await list())[0]]).toMatchObject(['canceled', { id, sendAt: null }]);
    });

    it('is edited: the draft before goes to the trash, and a page that is out of date changes and sends nothing', async () => {
      const { id, owner, drafts, list, read, put, stateOf, workspace } = await opened();
      const [before] = await list();
      const { status, json } = await put({ id, date: before?.date ?? '' }, 'Wednesday is better.');
      expect([status, await stateOf()]).toEqual([200, 'canceled']);
      expect(await list()).toMatchObject([
        { id: json.draft.id, to: ['eve@other.example'], ruleId: null, sendAt: null },
      ]);
      expect(await read(json.draft.id)).toMatchObject({ text: 'Wednesday is better.', html: null });
      const trash = (await workspace.read.get('/emails?folderType=TRASH')).body.items;
      expect(trash.map((email: { id: string }) => email.id)).toEqual([id]);
      const late = await owner.call('POST', `${drafts}/${id}/send`, { body: { seenDate: before?.date } });
      expect(late).toMatchObject({ status: 404, json: { error: expect.stringContaining('meanwhile') } });
      expect((await put({ id, date: before?.date ?? '' }, 'Thursday')).status).toBe(404);
      const stale = await put({ id: json.draft.id, date: '2026-03-01T00:00:00Z' }, 'Thursday');
      expect(stale).toMatchObject({ status: 409, json: { error: expect.stringContaining('Read it again') } });
      expect(await list()).toHaveLength(1);
    });

    it('409 CONFLICT when it leaves already, and nothing of it changes', async () => {
      const { id, workspace, owner, drafts, list, put } = await opened();
      const [shown] = await list();
      await stack.collections.sends.updateOne({ workspaceId: workspace.id, kind: 'reply' }, { state: 'data_ending' });
      const seen = { body: { seenDate: shown?.date } };
      const answers = [
        await owner.call('POST', `${drafts}/${id}/cancel`),
        await owner.call('POST', `${drafts}/${id}/send`, seen),
        await put({ id, date: shown?.date ?? '' }, 'Thursday'),
      ];
      const leaving = { status: 409, json: { code: 'CONFLICT', error: expect.stringContaining('leaving') } };
      expect(answers).toMatchObject([leaving, leaving, leaving]);
      expect(await list()).toEqual([shown]);
    });
  });
}

function describeList(stack: TestStack, opened: () => ReturnType<typeof openReply>): void {
  describe('a reply that waits longest', () => {
    it('is shown however many drafts were made after it', async () => {
      const { id, mailbox, workspace, list } = await opened();
      const where = {
        workspaceId: workspace.id,
        mailboxId: mailbox.id,
        folderId: 'drafts',
        folderType: 'DRAFTS',
      } as const;
      const date = new Date(Date.now() + 60_000);
      const newer = Array.from({ length: 60 }, () => emailDocument({ ...where, isDraft: true, date }));
      await stack.collections.emails.insertMany(newer);
      const shown = await list();
      expect([shown[0]?.id, shown.length]).toEqual([id, 51]);
    });
  });
}

const LONG = `<p>Tuesday</p>${'<p>is fine &amp; so is Wednesday.</p>'.repeat(6_000)}`;

function describeTexts(stack: TestStack, opened: () => ReturnType<typeof openReply>): void {
  describe('the list of drafts', () => {
    it('carries the first words of each, and a draft carries all of its text', async () => {
      const { mailbox, workspace, member, drafts, read } = await opened();
      const ids = await storeLongDrafts(stack, workspace.id, mailbox.id, 20);
      const { json } = await member.call('GET', drafts);
      expect(json.items).toHaveLength(ids.length + 1);
      expect(JSON.stringify(json).length).toBeLessThan(20_000);
      expect(json.items[1]).toMatchObject({ id: ids.at(-1), snippet: 'Tuesday is fine' });
      const whole = await read(ids[0] ?? '');
      expect(whole).toMatchObject({ html: LONG, hidesText: false });
      expect(whole.text).toMatch(/^Tuesday\n\nis fine & so is Wednesday\.\n\nis fine/);
    });
  });
}

async function storeLongDrafts(stack: TestStack, workspaceId: string, mailboxId: string, count: number) {
  const where = { workspaceId, mailboxId, folderId: 'drafts', folderType: 'DRAFTS', isDraft: true } as const;
  const emails = Array.from({ length: count }, (_, at) =>
    emailDocument({ ...where, text: 'Tuesday is fine', date: new Date(Date.now() + at * 1_000) }),
  );
  await stack.collections.emails.insertMany(emails);
  const content = { workspaceId, mailboxId, html: LONG, text: 'Tuesday is fine', createdAt: new Date() };
  await stack.collections.bodies.insertMany(emails.map(({ _id }) => ({ _id, ...content })));
  return emails.map(({ _id }) => _id);
}

function describeDiscarding(stack: TestStack, opened: () => ReturnType<typeof openReply>): void {
  describe('a draft', () => {
    it('is discarded by a member as it was seen; what was sent meanwhile stays in Sent', async () => {
      const { id, member, drafts, list, workspace } = await opened();
      const [shown] = await list();
      const seen = { body: { seenDate: shown?.date } };
      const discard = () => member.call('POST', `${drafts}/${id}/discard`, seen);
      const stale = await member.call('POST', `${drafts}/${id}/discard`, {
        body: { seenDate: '2026-03-01T00:00:00Z' },
      });
      expect(stale).toMatchObject({ status: 409, json: { error: expect.stringContaining('Read it again') } });
      const which = { workspaceId: workspace.id, _id: id };
      await stack.collections.emails.updateOne(which, { isDraft: false, folderType: 'SENT' });
      const late = { status: 404, json: { code: 'DRAFT_NOT_FOUND', error: expect.stringContaining('was sent') } };
      expect(await discard()).toMatchObject(late);
      expect(await stack.collections.emails.findOne(which).lean()).toMatchObject({ folderType: 'SENT' });
    });

    it('goes to the trash with its schedule when it is discarded', async () => {
      const { id, member, drafts, list, workspace } = await opened();
      const [shown] = await list();
      const seen = { body: { seenDate: shown?.date } };
      expect((await member.call('POST', `${drafts}/${id}/discard`, seen)).status).toBe(204);
      const trash = (await workspace.read.get('/emails?folderType=TRASH')).body.items;
      expect(trash).toMatchObject([{ id }]);
      expect(await list()).toEqual([]);
      const draft = await stack.collections.emails.findOne({ workspaceId: workspace.id, _id: id }).lean();
      expect(draft).toMatchObject({ scheduledStatus: 'canceled', scheduledSendAt: null });
    });
  });
}

/** A draft that an agent asks to send, in a mailbox with or without a trash. */
async function openAsked(stack: TestStack, people: AppPeople, withoutTrash: boolean) {
  const workspace = await stack.workspace();
  const { id: workspaceId } = workspace;
  const connected = { workspaceId, email: `asked.${workspaceId}@acme.example`, aliases: [], withoutTrash };
  const mailbox = await stack.workspaces.connectMailbox(connected, {});
  const owner = await people.joined(workspaceId, 'owner');
  const grantId = await storeGrant(stack, workspaceId, owner.personId);
  const asked = { subject: 'Tuesday', personId: owner.personId, grantId };
  const approvalId = await openWaitingApproval(stack, workspaceId, mailbox.id, asked);
  const approvals = `${owner.workspace}/approvals`;
  const shown = async () => (await owner.call('GET', `${approvals}/${approvalId}`)).json;
  const { draftId } = await shown();
  const { draft } = (await owner.call('GET', `${owner.workspace}/drafts/${draftId}`)).json;
  const edit = (text: string) =>
    owner.call('PUT', `${owner.workspace}/drafts/${draftId}`, {
      body: { seenDate: draft.date, to: [{ email: 'eve@other.example' }], subject: 'Tuesday', text },
    });
  const approve = async () => (await owner.call('POST', `${approvals}/${approvalId}/approve`)).status;
  const send = () => stack.collections.sends.findOne({ workspaceId, draftId }).lean();
  return { shown, edit, approve, send };
}

function describeAsked(stack: TestStack, people: () => AppPeople): void {
  describe('a draft that an agent asks to send', () => {
    it('waits for its approval as before when an edit is refused, however often', async () => {
      const { shown, edit, approve, send } = await openAsked(stack, people(), true);
      const before = await shown();
      expect(before).toMatchObject({ subject: 'Tuesday', text: 'Is Tuesday fine?\n' });
      const refused = { status: 409, json: { code: 'CONFLICT', error: expect.stringContaining('no trash') } };
      for (const text of ['Wednesday?', 'Wednesday?', 'Thursday?']) expect(await edit(text)).toMatchObject(refused);
      expect([await shown(), await approve()]).toEqual([before, 202]);
      expect((await send())?.approval).toMatchObject({ decision: 'approved' });
    });

    it('is edited by one of two at once, and its approval is over', async () => {
      const { edit, approve, send } = await openAsked(stack, people(), false);
      const answers = await Promise.all([edit('Wednesday?'), edit('Thursday?')]);
      const done = answers.map(({ status }) => status === 200);
      expect(done.filter(Boolean)).toHaveLength(1);
      expect([200, 404, 409]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
      const again = await Promise.all([edit('Wednesday?'), edit('Thursday?')]);
      expect(again.map(({ status }) => status === 200)).toEqual(done);
      expect([await approve(), (await send())?.state]).toEqual([409, 'canceled']);
    });
  });
}
