import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { storeMember } from '../support/agents.ts';
import { startFakeModel, type FakeModel } from '../support/fake-model.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import type { MessageParts } from '../support/message.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const MINUTE_MS = 60_000;
const clock = shiftingClock({ times: 4 });
let model: FakeModel;
let sink: MailSink;
let stack: TestStack;

beforeAll(async () => {
  sink = await openMailSink();
  // A condition holds where it stands in the subject; "unsure" makes it less certain than any threshold here.
  model = await startFakeModel(
    ({ rules, email }) =>
      rules.map(({ rule_id, condition }) => ({
        rule_id,
        applies: email.subject.includes(condition),
        confidence: email.subject.includes('unsure') ? 50 : 90,
        reason: 'it says so',
      })),
    ({ subject }) => `Thank you for "${subject}".`,
  );
  const variables = { LLM_BASE_URL: model.baseUrl, DEVELOPMENT_SMTP_ADDR: sink.address };
  stack = await startStack({ clock: behindGateway(clock), variables });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
  await model.close();
});

interface Rule {
  id: string;
  label: { id: string };
}
interface Item {
  id: string;
  subject: string;
}

const ruleOf = async (workspace: TestWorkspace, condition: string, extra: object = {}): Promise<Rule> => {
  const settings = { autoDraftEnabled: true, autoReplyEnabled: true, autoReplyDelayMinutes: 5 };
  const body = { name: condition, color: 'Pink', condition, ...settings, ...extra };
  return (await workspace.send.post('/ai-label-rules', body)).body.rule;
};
const scene = async (extra: object = {}) => {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox({ name: 'Ann Lee', aliases: ['info@example.com'] });
  const rule = await ruleOf(workspace, 'price', extra);
  return { workspace, mailbox, rule };
};
type Scene = Awaited<ReturnType<typeof scene>>;

let counter = 0;
/** Takes an email in and waits until its rules have been asked. */
async function arrived({ workspace, mailbox }: Pick<Scene, 'workspace' | 'mailbox'>, parts: MessageParts = {}) {
  const subject = `price ${++counter}`;
  const asked = { from: 'Bob <bob@other.example>', to: mailbox.email, subject, text: 'What is it?', ...parts };
  const [id = ''] = await workspace.ingest(mailbox.id, [asked]);
  await eventually(async () => {
    expect(await stack.collections.emails.countDocuments({ _id: id, classifiedAt: { $exists: true } })).toBe(1);
  }, 30_000);
  const drafts = (await workspace.read.get('/drafts?limit=200')).body.items as Item[];
  return { id, subject: asked.subject, draft: drafts.find((draft) => draft.subject === `Re: ${asked.subject}`) };
}
const emailOf = async (workspace: TestWorkspace, { id }: { id: string }) =>
  (await workspace.read.get(`/emails/${id}`)).body.email;
const statusOf = (workspace: TestWorkspace, draft: Item | undefined, scheduledStatus: string) =>
  eventually(async () => expect(await emailOf(workspace, draft as Item)).toMatchObject({ scheduledStatus }), 30_000);
const caughtWith = (subject: string) => sink.caught.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`));

describe('a rule with auto-reply', () => {
  it('answers after its delay, in the thread, from the address that was written to, and hides the email', async () => {
    const { workspace, mailbox, rule } = await scene({ hideFromInbox: true });
    const workspaceId = workspace.id;
    await stack.workspaces.createSignature({ workspaceId, name: 'All', html: '<p>The team</p>', isDefault: true }, {});
    const mail = {
      to: `someone@other.example, Info <INFO@example.com>, ${mailbox.email}`,
      messageId: '<ask@o.example>',
      headers: { 'Reply-To': 'Desk <desk@Other.example>' },
    };
    const { id, subject, draft } = await arrived({ workspace, mailbox }, { ...mail, subject: 'price of all' });
    const pending = await emailOf(workspace, draft as Item);
    expect(pending).toMatchObject({ scheduledStatus: 'pending', isDraft: true });
    const email = await emailOf(workspace, { id });
    expect(Date.parse(pending.scheduledSendAt) - Date.parse(email.date)).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    const detail = (await workspace.read.get(`/drafts/${draft?.id}`)).body.draft;
    expect(detail).toMatchObject({ source: 'auto_draft', ruleId: rule.id });
    expect(detail.body.text).toBe('Thank you for "price of all".\n\n-- \nThe team\n');

    clock.shift(4 * MINUTE_MS);
    await clock.sleep(1_500);
    expect(caughtWith(`Re: ${subject}`)).toEqual([]);
    clock.shift(2 * MINUTE_MS);
    await statusOf(workspace, draft, 'sent');
    const [caught, ...more] = caughtWith(`Re: ${subject}`);
    expect(more).toEqual([]);
    expect(caught).toMatchObject({ from: mailbox.email, to: ['desk@other.example'] });
    const sent = await emailOf(workspace, draft as Item);
    expect(sent).toMatchObject({ isAutoReply: true, isDraft: false, inReplyTo: '<ask@o.example>' });
    expect(sent.threadId).toBe(email.threadId);
    // It says when it left, and not when it was prepared.
    expect(Date.parse(sent.date)).toBeGreaterThanOrEqual(Date.parse(pending.scheduledSendAt) - 1_000);
    expect(new Date(/^Date: (.*)\r$/m.exec(caught?.raw ?? '')?.[1] ?? '')).toEqual(new Date(sent.date));
    expect(caught?.raw).toContain('Auto-Submitted: auto-replied');
    const inbox = (await workspace.read.get('/emails?folderType=INBOX')).body.items as Item[];
    expect(inbox).toEqual([]);
    const hidden = (await workspace.read.get('/emails?filtered=only')).body.items;
    expect(hidden).toMatchObject([{ id, tags: [{ id: rule.label.id, isAiLabel: true }] }]);
  });

  it('leaves as a person has edited it, once, and not by itself at its time', async () => {
    const { workspace, mailbox } = await scene();
    const { subject, draft } = await arrived({ workspace, mailbox });
    await storeMember(stack, workspace.id, 'per_owner', 'owner');
    const context = createServiceContext({ name: 'test', logLevel: 'silent' });
    const outbound = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
    const within = { workspaceId: workspace.id };
    const seen = async (draftId = '') => {
      const { date } = await emailOf(workspace, { id: draftId });
      return { actorId: 'per_owner', draftId, seenDate: date as string };
    };
    const before = await seen(draft?.id);
    const change = { to: ['eve@other.example'], cc: [], bcc: [], subject: `Re: ${subject}`, text: 'Ten.' };
    const { draftId } = await outbound.replaceDraft({ ...before, ...change }, within);
    await expect(outbound.sendOwnDraft(before, within)).rejects.toMatchObject({ code: 'DRAFT_NOT_FOUND' });
    const edited = await seen(draftId);
    const sent = { status: 'sent', draftId, emailId: draftId };
    expect(await outbound.sendOwnDraft(edited, within)).toMatchObject(sent);
    expect(await outbound.sendOwnDraft(edited, within)).toMatchObject(sent);
    clock.shift(6 * MINUTE_MS);
    await clock.sleep(1_500);
    const caught = caughtWith(`Re: ${subject}`);
    expect(caught).toMatchObject([{ to: ['eve@other.example'], raw: expect.stringContaining('Ten.') }]);
    expect(caught[0]?.raw).not.toContain('Auto-Submitted');
    await context.lifecycle.close();
  });

  it('answers as an alias where the email was sent to that alone', async () => {
    const { workspace, mailbox } = await scene();
    const { draft } = await arrived({ workspace, mailbox }, { to: 'Info <INFO@example.com>' });
    expect(await emailOf(workspace, draft as Item)).toMatchObject({ from: { email: 'info@example.com' } });
  });

  it('answers the sender where another domain is to be answered', async () => {
    const here = await scene();
    const headers = { 'Reply-To': 'victim@elsewhere.example' };
    const { draft } = await arrived(here, { headers });
    expect(await emailOf(here.workspace, draft as Item)).toMatchObject({ to: [{ email: 'bob@other.example' }] });
  });

  const quiet: [string, MessageParts][] = [
    ['the model is not sure', { subject: 'unsure price' }],
    ['a machine sent it', { headers: { 'Auto-Submitted': 'auto-generated' } }],
    ['it is list mail', { headers: { 'List-Id': '<l.other.example>' } }],
    ['it is a bounce', { headers: { 'Return-Path': '<>' } }],
    ['it carries our own mark', { headers: { 'X-Postroom-Loop': 'abc' } }],
    ['nobody reads the answers', { from: 'Shop <no-reply@shop.example>' }],
    ['it fails DMARC', { headers: { 'Authentication-Results': 'mx.example.com; dmarc=fail (p=none)' } }],
  ];
  it.each(quiet)('leaves a draft alone where %s', async (_why, parts) => {
    const here = await scene({ autoReplyDelayMinutes: 0 });
    const { draft } = await arrived(here, { subject: `price ${++counter}`, ...parts });
    expect(await emailOf(here.workspace, draft as Item)).toMatchObject({ scheduledStatus: null, isDraft: true });
    expect(await stack.collections.sends.countDocuments({ workspaceId: here.workspace.id })).toBe(0);
  });

  it('leaves a draft alone where the rule only drafts, and where the email names nobody of the mailbox', async () => {
    const [drafting, replying] = [await scene({ autoReplyEnabled: false }), await scene()];
    for (const [here, mail] of [
      [drafting, {}],
      [replying, { to: 'list@club.example' }],
    ] as const) {
      const { draft } = await arrived(here, mail);
      expect(await emailOf(here.workspace, draft as Item)).toMatchObject({ scheduledStatus: null, isDraft: true });
    }
  });

  it('prepares no draft where the subscription has ended, and puts its label on all the same', async () => {
    const { workspace, mailbox } = await scene();
    await stack.workspaces.changePlan({ workspaceId: workspace.id, plan: 'free' }, {});
    expect((await arrived({ workspace, mailbox })).draft).toBeUndefined();
    expect((await workspace.read.get('/emails')).body.items).toMatchObject([{ tags: [{ name: 'price' }] }]);
  });

  const canceling: [string, (here: Scene, asked: { id: string; draft: Item }) => Promise<unknown>][] = [
    ['the email is thrown away', ({ workspace }, { id }) => workspace.write.delete(`/emails/${id}`)],
    ['the draft is thrown away', ({ workspace }, { draft }) => workspace.write.delete(`/emails/${draft.id}`)],
    [
      'the rule replies no more',
      ({ workspace, rule }) => workspace.send.patch(`/ai-label-rules/${rule.id}`, { autoReplyEnabled: false }),
    ],
    [
      'the condition changes',
      ({ workspace, rule }) => workspace.send.patch(`/ai-label-rules/${rule.id}`, { condition: 'another' }),
    ],
    [
      'the threshold changes',
      ({ workspace, rule }) =>
        workspace.send.patch(`/ai-label-rules/${rule.id}`, { autoReplyConfidenceThreshold: 100 }),
    ],
    [
      'the label is taken off',
      ({ workspace, rule }, { id }) => workspace.write.delete(`/emails/${id}/labels/${rule.label.id}`),
    ],
    ['the rule is deleted', ({ workspace, rule }) => workspace.write.delete(`/ai-label-rules/${rule.id}`)],
    [
      'the subscription ends',
      ({ workspace }) => stack.workspaces.changePlan({ workspaceId: workspace.id, plan: 'free' }, {}),
    ],
    [
      'the workspace is suspended',
      ({ workspace }) => stack.workspaces.suspendWorkspace({ workspaceId: workspace.id }, {}),
    ],
    ['the mailbox is disconnected', ({ mailbox }) => stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {})],
    [
      'somebody edits the draft in another client',
      ({ mailbox }, { draft }) =>
        stack.collections.emails.updateOne(
          { _id: draft.id, mailboxId: mailbox.id },
          { $set: { scheduledStatus: 'canceled', scheduledSendAt: null } },
        ),
    ],
    [
      'somebody answers',
      async ({ workspace, mailbox }, { id }) => {
        const { messageId } = await emailOf(workspace, { id });
        return workspace.ingest(mailbox.id, [{ folderType: 'SENT', from: mailbox.email, inReplyTo: messageId }]);
      },
    ],
  ];
  it.each(canceling)('is stopped where %s meanwhile', async (_what, meanwhile) => {
    const here = await scene();
    const { id, subject, draft } = await arrived(here);
    expect(await emailOf(here.workspace, draft as Item)).toMatchObject({ scheduledStatus: 'pending' });
    clock.shift(1_000);
    await meanwhile(here, { id, draft: draft as Item });
    clock.shift(6 * MINUTE_MS);
    await eventually(async () => {
      const send = await stack.collections.sends.findOne({ workspaceId: here.workspace.id }).lean();
      expect(send).toMatchObject({ state: 'canceled' });
    }, 30_000);
    const kept = await stack.collections.emails.findOne({ _id: draft?.id }).lean();
    expect(kept).toMatchObject({ scheduledStatus: 'canceled', scheduledSendAt: null, isDraft: true });
    expect(caughtWith(`Re: ${subject}`)).toEqual([]);
  });

  it('answers an email once though several rules would, by the first of them', async () => {
    const { workspace, mailbox, rule } = await scene({ autoReplyDelayMinutes: 0 });
    await ruleOf(workspace, 'cost', { autoReplyDelayMinutes: 0 });
    const { draft } = await arrived({ workspace, mailbox }, { subject: 'cost and price' });
    await statusOf(workspace, draft, 'sent');
    await eventually(async () => {
      const sends = await stack.collections.sends.find({ workspaceId: workspace.id }).lean();
      expect(sends).toMatchObject([{ ruleId: rule.id, state: 'recorded' }]);
    }, 30_000);
    expect(caughtWith('Re: cost and price')).toHaveLength(1);
  });

  it('answers nobody more than four times within an hour', async () => {
    const here = await scene({ autoReplyDelayMinutes: 0 });
    const from = 'Chatty <CHATTY@other.example>';
    const outcomes = async (count: number, parts: MessageParts) => {
      const drafts = [];
      for (let n = 0; n < count; n++) drafts.push((await arrived(here, parts)).draft);
      return drafts.map((draft) => draft as Item);
    };
    await outcomes(6, { from });
    await outcomes(1, { from: 'quiet@other.example' });
    const sentTo = (address: string) =>
      sink.caught.filter(({ from: by, to }) => by === here.mailbox.email && to[0] === address);
    await eventually(async () => expect(sentTo('quiet@other.example')).toHaveLength(1), 30_000);
    expect(sentTo('CHATTY@other.example')).toHaveLength(4);
    await eventually(async () => {
      const left = (await here.workspace.read.get('/drafts?limit=200')).body.items;
      expect(left).toMatchObject([{ scheduledStatus: null }, { scheduledStatus: null }]);
    }, 30_000);
    clock.shift(61 * MINUTE_MS);
    await outcomes(1, { from });
    await eventually(async () => expect(sentTo('CHATTY@other.example')).toHaveLength(5), 30_000);
  });
});
