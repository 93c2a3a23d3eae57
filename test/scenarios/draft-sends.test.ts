import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Agent,
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { createServiceContext } from '@postroom/runtime/service-context';
import { storeGrant, storeMember } from '../support/agents.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import type { MessageParts } from '../support/message.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { untilTaken } from '../support/until-taken.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
let sink: MailSink;
let stack: TestStack;
let outbound: Client<typeof OutboundSendServiceDefinition>;
let operators: Client<typeof OutboundSendOperatorServiceDefinition>;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address, AGENT_SENDS_PER_DAY: '3' } });
  outbound = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
  operators = connect(OutboundSendOperatorServiceDefinition, stack.addresses.OUTBOUND_SEND_OPERATOR_ADDR, {
    context,
    token: stack.operatorToken,
  });
});
afterAll(async () => {
  await context.lifecycle.close();
  await stack.close();
  await sink.close();
});

const refused = { code: 'OUTBOUND_SEND_NOT_ALLOWED' };
let workspace: TestWorkspace;
let mailboxId: string, mailboxEmail: string;
let grantId: string;
let count = 0;
beforeEach(async () => {
  workspace = await stack.workspace();
  ({ id: mailboxId, email: mailboxEmail } = await workspace.connectMailbox());
  await joined('per_owner', 'owner');
  grantId = await storeGrant(stack, workspace.id, 'per_owner');
});

const joined = (personId: string, role: 'owner' | 'member') => storeMember(stack, workspace.id, personId, role);
const within = () => ({ workspaceId: workspace.id });
const grant = { kind: 'grant', personId: 'per_owner', name: 'Helper' };
const agentOf = (level: string, id = grantId): Agent => ({ ...grant, id, level });
/** A draft, told from others by its subject. */
const draft = async (extra: object = {}): Promise<{ id: string; subject: string }> => {
  const subject = `Letter ${(count += 1)}.`;
  const body = { mailboxId, to: [{ email: 'bob@other.example' }], subject, body: { text: 'Tuesday?' }, ...extra };
  const answer = await workspace.write.post('/drafts', body);
  expect(answer.status).toBe(201);
  return { id: answer.body.draft.id, subject };
};
const send = (draftId: string, level: string, id?: string) =>
  outbound.sendDraft({ draftId, agent: agentOf(level, id) }, within());
const caughtOf = ({ subject }: { subject: string }) => sink.caught.filter(({ raw }) => raw.includes(subject));
const approvals = async () => (await operators.listWaitingSends({ actorId: '' }, within())).items;
const whole = (approvalId: string) => operators.getWaitingSend({ actorId: '', approvalId }, within());
const decide = (approvalId: string, approve: boolean) =>
  operators.decideWaitingSend({ actorId: '', approvalId, approve }, within());
const untilSent = (draftId: string) =>
  untilTaken(async () => expect(await send(draftId, 'approve')).toMatchObject({ status: 'sent' }));
const sentEvents = async () =>
  (await workspace.read.get('/changes')).body.items.filter(({ event }: { event: string }) => event === 'draft.sent');

describe('a draft that an agent sends', () => {
  it('leaves once, becomes the sent email, and says the same at every call', async () => {
    const letter = await draft({ bcc: [{ email: 'di@other.example' }] });
    const first = await send(letter.id, 'send');
    expect(first).toMatchObject({ status: 'sent', draftId: letter.id, emailId: letter.id });
    const again = [send(letter.id, 'send'), send(letter.id, 'reply', 'gra_other')];
    const read = outbound.getDraftSend({ draftId: letter.id }, within());
    expect(await Promise.all([...again, read])).toEqual([first, first, first]);
    const [caught, ...others] = caughtOf(letter);
    expect(others).toEqual([]);
    expect(caught?.to.toSorted()).toEqual(['bob@other.example', 'di@other.example']);
    const { email } = (await workspace.read.get(`/emails/${letter.id}`)).body;
    expect(email).toMatchObject({ isDraft: false, subject: letter.subject });
    await untilTaken(async () => expect(await sentEvents()).toHaveLength(1));
  });

  it('leaves once however many ask at once', async () => {
    const letter = await draft();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => send(letter.id, 'send')));
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(caughtOf(letter)).toHaveLength(1);
  });

  it.each(['read', 'drafts'])('403 OUTBOUND_SEND_NOT_ALLOWED with the level %s', async (level) => {
    const letter = await draft();
    await expect(send(letter.id, level)).rejects.toMatchObject(refused);
    expect(caughtOf(letter)).toEqual([]);
  });

  it('400 VALIDATION_FAILED without an agent, or with a level that nobody knows', async () => {
    const { id: draftId } = await draft();
    const invalid = { code: 'VALIDATION_FAILED' };
    await expect(outbound.sendDraft({ draftId, agent: undefined }, within())).rejects.toMatchObject(invalid);
    await expect(send(draftId, 'all')).rejects.toMatchObject(invalid);
  });

  it('404 DRAFT_NOT_FOUND for a draft of another workspace, for none, and for an email', async () => {
    const { id } = await draft();
    const [email = ''] = await workspace.ingest(mailboxId, [{ subject: 'Hello' }]);
    await expect(send(email, 'send')).rejects.toMatchObject({ code: 'DRAFT_NOT_FOUND' });
    workspace = await stack.workspace();
    await expect(send(id, 'send')).rejects.toMatchObject({ code: 'DRAFT_NOT_FOUND' });
    await expect(send('eml_none', 'approve')).rejects.toMatchObject({ code: 'DRAFT_NOT_FOUND' });
    await expect(outbound.getDraftSend({ draftId: id }, within())).rejects.toMatchObject({ code: 'DRAFT_NOT_FOUND' });
  });

  it('500 and nothing sent when the mail server refuses it, and a later call tries anew', async () => {
    const letter = await draft({ to: [{ email: 'bob@refuse.example' }] });
    await expect(send(letter.id, 'send')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    sink.takesEverything = true;
    expect(await send(letter.id, 'send').finally(() => (sink.takesEverything = false))).toMatchObject({
      status: 'sent',
    });
    expect(caughtOf(letter)).toHaveLength(1);
  });

  it('429 RATE_LIMIT_EXCEEDED beyond the bound of a grant and day, exactly, and repeats count once', async () => {
    const letters = await Promise.all(Array.from({ length: 5 }, () => draft()));
    const answers = await Promise.allSettled(letters.map(({ id }) => send(id, 'send')));
    const codes = answers.map((one) => (one.status === 'fulfilled' ? 'OK' : (one.reason as { code: string }).code));
    expect(codes.toSorted()).toEqual(['OK', 'OK', 'OK', 'RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED']);
    expect(await send(letters[codes.indexOf('OK')]!.id, 'send')).toMatchObject({ status: 'sent' });
    const left = letters[codes.indexOf('RATE_LIMIT_EXCEEDED')]!;
    expect(await send(left.id, 'send', 'gra_second')).toMatchObject({ status: 'sent' });
  });
});

describe('an approval', () => {
  it('is asked for once, shows the whole message, and sends it once a person approves', async () => {
    const letter = await draft({ cc: [{ email: 'cy@other.example' }], bcc: [{ email: 'di@other.example' }] });
    const waiting = await send(letter.id, 'approve');
    expect(waiting).toMatchObject({ status: 'waiting_for_approval', draftId: letter.id, emailId: undefined });
    expect(await send(letter.id, 'approve')).toEqual(waiting);
    const [shown] = await approvals();
    expect(await approvals()).toHaveLength(1);
    const addressed = { to: ['bob@other.example'], cc: ['cy@other.example'], bcc: ['di@other.example'] };
    const said = { draftId: letter.id, from: mailboxEmail, subject: letter.subject, body: undefined };
    expect(shown).toMatchObject({ id: waiting.approvalId, ...said, ...addressed, agentName: 'Helper' });
    expect(await whole(shown!.id)).toEqual({ ...shown, body: { text: expect.stringContaining('Tuesday?') } });
    expect(caughtOf(letter)).toEqual([]);
    await decide(shown!.id, true);
    await untilSent(letter.id);
    await decide(shown!.id, true);
    expect(await send(letter.id, 'approve')).toMatchObject({ emailId: letter.id });
    expect(caughtOf(letter)).toHaveLength(1);
    await untilTaken(async () => expect(await sentEvents()).toHaveLength(1));
  });

  it('that is refused keeps the draft, and refuses the same content for good', async () => {
    const letter = await draft();
    await send(letter.id, 'approve');
    await decide((await approvals())[0]!.id, false);
    await expect(send(letter.id, 'approve')).rejects.toMatchObject(refused);
    expect(await approvals()).toEqual([]);
    expect((await workspace.read.get(`/drafts/${letter.id}`)).status).toBe(200);
    expect(caughtOf(letter)).toEqual([]);
  });

  it('is for one content: a draft that was changed since is asked for anew, and the earlier approval is gone', async () => {
    const letter = await draft();
    await send(letter.id, 'approve');
    const [before] = await approvals();
    await stack.collections.bodies.updateOne({ _id: letter.id }, { $set: { text: 'Send all the money.' } });
    const { approvalId = '' } = await send(letter.id, 'approve');
    expect(approvalId).not.toBe(before!.id);
    await expect(decide(before!.id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await approvals()).map(({ id }) => id)).toEqual([approvalId]);
    expect((await whole(approvalId)).body?.text).toBe('Send all the money.');
  });

  it('sends nothing when the draft was changed before it left', async () => {
    const letter = await draft();
    const { approvalId = '' } = await send(letter.id, 'approve');
    await stack.collections.bodies.updateOne({ _id: letter.id }, { $set: { text: 'Send all the money.' } });
    await decide(approvalId, true);
    const stored = () => stack.collections.sends.findOne({ draftId: letter.id }).lean();
    await untilTaken(async () => expect(await stored()).toMatchObject({ state: 'canceled' }));
    expect(caughtOf(letter)).toEqual([]);
  });

  it('ends after 24 hours, and another one is asked for', async () => {
    const letter = await draft();
    const { approvalId = '', expiresAt = '' } = await send(letter.id, 'approve');
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 24 * 3_600_000)).toBeLessThan(600_000);
    const past = { 'approval.expiresAt': new Date(Date.now() - 1_000) };
    await stack.collections.sends.updateOne({ draftId: letter.id }, { $set: past });
    expect(await approvals()).toEqual([]);
    await expect(decide(approvalId, true)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await send(letter.id, 'approve')).approvalId).not.toBe(approvalId);
    expect(caughtOf(letter)).toEqual([]);
  });
});

describe('people who approve', () => {
  const listed = async (actorId: string) => (await outbound.listApprovals({ actorId }, within())).items.length;
  it('are owners and admins, and a member for the clients of their own', async () => {
    await joined('per_olga', 'owner');
    await joined('per_mia', 'member');
    const [mine, others] = [await draft(), await draft()];
    const asked = { ...agentOf('approve'), personId: 'per_mia' };
    const { approvalId = '' } = await outbound.sendDraft({ draftId: mine.id, agent: asked }, within());
    const { approvalId: foreign = '' } = await send(others.id, 'approve');
    expect([await listed('per_olga'), await listed('per_mia')]).toEqual([2, 1]);
    const by = (actorId: string, id: string) =>
      outbound.decideApproval({ actorId, approvalId: id, approve: true }, within());
    const read = outbound.getApproval({ actorId: 'per_mia', approvalId: foreign }, within());
    await expect(read).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(by('per_mia', foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(by('per_nobody', approvalId)).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' });
    await by('per_mia', approvalId);
    await untilSent(mine.id);
    expect(caughtOf(others)).toEqual([]);
  });

  it('are those of the workspace of the draft alone', async () => {
    const letter = await draft();
    const { approvalId = '' } = await send(letter.id, 'approve');
    workspace = await stack.workspace();
    await joined('per_olga', 'owner');
    const decided = outbound.decideApproval({ actorId: 'per_olga', approvalId, approve: true }, within());
    await expect(decided).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(caughtOf(letter)).toEqual([]);
  });

  it('stop all sending by agents, also of what was approved, until it is allowed again', async () => {
    await joined('per_olga', 'owner');
    await joined('per_mia', 'member');
    const [letter, waiting] = [await draft(), await draft()];
    const { approvalId = '' } = await send(waiting.id, 'approve');
    const set = (actorId: string, stopped: boolean) => outbound.setAgentSending({ actorId, stopped }, within());
    await expect(set('per_mia', true)).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
    expect(await set('per_olga', true)).toMatchObject({ stopped: true, stoppedBy: 'per_olga' });
    await expect(send(letter.id, 'send')).rejects.toMatchObject(refused);
    await expect(send(letter.id, 'approve')).rejects.toMatchObject(refused);
    await expect(decide(approvalId, true)).rejects.toMatchObject(refused);
    expect(caughtOf(waiting)).toEqual([]);
    expect(await set('per_olga', false)).toMatchObject({ stopped: false });
    expect(await send(letter.id, 'send')).toMatchObject({ status: 'sent' });
  });
});

describe('the level reply', () => {
  const question: MessageParts = {
    messageId: '<question@other.example>',
    from: 'Bob <bob@other.example>',
    cc: 'Cy <cy@other.example>',
    subject: 'Tuesday?',
  };
  const mallory = [{ email: 'mallory@evil.example' }];
  const answer = (extra: object = {}) => draft({ inReplyTo: '<question@other.example>', ...extra });

  it('writes to From, To and Cc of the thread and to the mailbox itself', async () => {
    await workspace.ingest(mailboxId, [{ ...question, to: `${mailboxEmail}, eve@other.example` }]);
    const to = [{ email: 'BOB@other.example' }, { email: 'eve@other.example' }];
    const letter = await answer({ to, cc: [{ email: 'cy@other.example' }], bcc: [{ email: mailboxEmail }] });
    expect(await send(letter.id, 'reply')).toMatchObject({ status: 'sent' });
  });

  it.each(['to', 'cc', 'bcc'])('403 OUTBOUND_SEND_NOT_ALLOWED naming a stranger in %s', async (field) => {
    await workspace.ingest(mailboxId, [question]);
    const letter = await answer({ [field]: [{ email: 'bob@other.example' }, { email: 'mallory@evil.example' }] });
    await expect(send(letter.id, 'reply')).rejects.toMatchObject({
      code: 'OUTBOUND_SEND_NOT_ALLOWED',
      details: { recipients: ['mallory@evil.example'] },
    });
    expect(caughtOf(letter)).toEqual([]);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED for a stranger whom another draft of the thread names', async () => {
    await workspace.ingest(mailboxId, [question]);
    const [, letter] = [await answer({ to: mallory }), await answer({ to: mallory })];
    await expect(send(letter.id, 'reply')).rejects.toMatchObject(refused);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED outside of a thread, and in one of drafts alone', async () => {
    const to = [{ email: mailboxEmail }];
    await expect(send((await draft({ to })).id, 'reply')).rejects.toMatchObject(refused);
    const nowhere = { inReplyTo: '<nowhere@other.example>', to };
    const [one] = [await draft(nowhere), await draft(nowhere)];
    await expect(send(one.id, 'reply')).rejects.toMatchObject(refused);
  });
});
