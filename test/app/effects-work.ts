import { describe, expect, it } from '@jest/globals';
import type { DecisionAnswer, EffectAnswer, OpenedEmailAnswer } from '@postroom/app/answers';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { outgoingKey, replyOperation } from '@postroom/mail-store/outgoing-key';
import { eventually } from '../engines/eventually.ts';
import type { AppPeople } from '../support/app-client.ts';
import type { TestStack } from '../support/stack.ts';
import { openWaitingReply } from '../support/waiting-reply.ts';

const INVOICES = 'The email is an invoice or a payment reminder';

/** A workspace with a rule, an email that it labeled, and a member. */
async function openLabelled(stack: TestStack, people: AppPeople, rule: object = {}) {
  const workspace = await stack.workspace();
  const [owner, member] = [await people.joined(workspace.id, 'owner'), await people.joined(workspace.id, 'member')];
  const mailbox = await workspace.connectMailbox();
  const body = { name: 'To pay', color: 'Red', condition: INVOICES, ...rule };
  const made = (await owner.call('POST', `${owner.workspace}/ai-label-rules`, { body })).json.rule;
  const [emailId = ''] = await workspace.ingest(mailbox.id, [{ subject: 'Invoice 1', to: mailbox.email }]);
  const emails = `${member.workspace}/emails`;
  const opened = async (): Promise<OpenedEmailAnswer> => (await member.call('GET', `${emails}/${emailId}`)).json;
  const effects = async (): Promise<EffectAnswer[]> => (await opened()).why.effects;
  const labelPath = `/emails/${emailId}/labels/${made.label.id}`;
  const label = (action: 'apply' | 'remove') =>
    action === 'apply' ? workspace.write.post(labelPath) : workspace.write.delete(labelPath);
  const undo = (effectId: string) => member.call('POST', `${emails}/${emailId}/effects/${effectId}/undo`);
  const undoAll = () => member.call('POST', `${emails}/${emailId}/undo`);
  const labelled = async () => {
    await eventually(async () => expect(await effects()).toHaveLength(1));
    return ((await effects())[0] as EffectAnswer).id;
  };
  return { workspace, owner, member, mailbox, rule: made, emailId, opened, effects, label, undo, undoAll, labelled };
}

export function describeEffects(stack: TestStack, people: () => AppPeople): void {
  const here = (rule?: object) => openLabelled(stack, people(), rule);

  describe('the label of a rule', () => {
    it('is listed with its cause, and is undone by a member, once, and the log says who did it', async () => {
      const { owner, member, rule, emailId, opened, effects, undo, labelled, workspace } = await here({
        hideFromInbox: true,
      });
      const id = await labelled();
      expect(await effects()).toEqual([
        {
          id,
          kind: 'label',
          ruleId: rule.id,
          ruleUpdatedAt: rule.updatedAt,
          label: rule.label,
          hides: true,
          model: expect.stringMatching(/./),
          confidence: expect.any(Number),
          reason: expect.stringMatching(/./),
          isBackfill: false,
          at: expect.any(String),
          forwardTo: null,
          undoneAt: null,
          staysBecause: null,
        },
      ]);
      expect((await opened()).why.hiddenBy).toEqual([{ type: 'ai_label', value: 'To pay' }]);
      expect([(await undo(id)).status, (await undo(id)).status]).toEqual([204, 204]);
      expect(await effects()).toMatchObject([{ id, undoneAt: expect.any(String), staysBecause: null }]);
      expect(await opened()).toMatchObject({ email: { tags: [] }, why: { hiddenBy: [] } });
      const stored = await stack.collections.emails.findOne({ workspaceId: workspace.id, _id: emailId }).lean();
      expect(stored?.undoneEffects).toEqual([{ effectId: id, by: member.personId, at: expect.any(Date) }]);
      await eventually(async () => {
        const told = (await owner.call('GET', `${owner.workspace}/activity?action=email.effect_undone`)).json.items;
        expect(told[0]).toMatchObject({ actor: { kind: 'person', id: member.personId }, targetId: emailId });
      });
    });

    it('409 CONFLICT in words when a person removed it since, or removed it and applied it again', async () => {
      const { undo, label, labelled, effects, opened } = await here();
      const id = await labelled();
      expect((await label('remove')).status).toBe(200);
      const removed = 'A person removed the label since, so there is nothing to undo.';
      expect(await undo(id)).toMatchObject({ status: 409, json: { code: 'CONFLICT', error: removed } });
      expect(await effects()).toMatchObject([{ staysBecause: removed }]);
      expect((await label('apply')).status).toBe(200);
      const again = 'A person removed the label and applied it again since, so it stays.';
      expect(await undo(id)).toMatchObject({ status: 409, json: { code: 'CONFLICT', error: again } });
      expect((await opened()).email.tags).toHaveLength(1);
    });
  });
  describeForeign(here);
  describeMessages(stack, here);
  describeForwards(stack, here);
  describeForwardPeriod(stack, here, people);
  describePeriod(here);
}

const forwardOf = (workspaceId: string, sourceEmailId: string): Partial<SendDocument> => ({
  workspaceId,
  sourceEmailId,
  mailboxId: 'mbx_unknown',
  kind: 'forward',
  mode: 'normal',
  fingerprint: 'x',
  messageId: '<f@acme.example>',
  from: 'ann@acme.example',
  to: ['books@far.example'],
  ruleId: 'afr_1',
  attempts: 0,
  epoch: 0,
  createdAt: new Date(),
  updatedAt: new Date(),
  expiresAt: new Date(Date.now() + 60_000),
});

type Here = () => ReturnType<typeof openLabelled>;

function describeForeign(here: Here): void {
  describe('the effects of a rule', () => {
    it('404 NOT_FOUND for an effect of another email, 404 EMAIL_NOT_FOUND for an email of others', async () => {
      const [one, other] = [await here(), await here()];
      const id = await one.labelled();
      expect(await other.undo(id)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
      const { member } = other;
      const foreign = await member.call('POST', `${member.workspace}/emails/${one.emailId}/effects/${id}/undo`);
      expect(foreign).toMatchObject({ status: 404, json: { code: 'EMAIL_NOT_FOUND' } });
      expect(await one.effects()).toMatchObject([{ undoneAt: null }]);
    });
  });
}

/** The effects that are messages: drafts, replies and forwards. */
function describeMessages(stack: TestStack, here: Here): void {
  describe('the message of a rule', () => {
    it('that waits as a reply is undone with the label: its draft goes to the trash, and it does not leave', async () => {
      const { workspace, mailbox, emailId, effects, undoAll, labelled } = await here();
      await labelled();
      const draftId = await openWaitingReply(stack, workspace.id, mailbox, 'Invoice 1', { emailId });
      expect((await effects()).map(({ id, kind }) => [id === draftId, kind])).toEqual([
        [false, 'label'],
        [true, 'reply'],
      ]);
      const { items } = (await undoAll()).json;
      expect(items).toMatchObject([{ isUndone: true }, { effectId: draftId, isUndone: true, because: null }]);
      expect(await effects()).toMatchObject([{ undoneAt: expect.any(String) }, { undoneAt: expect.any(String) }]);
      const draft = await stack.collections.emails.findOne({ workspaceId: workspace.id, _id: draftId }).lean();
      expect(draft).toMatchObject({ folderType: 'TRASH', scheduledStatus: 'canceled', scheduledSendAt: null });
    });

    it('409 CONFLICT in words when it was sent, canceled or thrown away since', async () => {
      const { workspace, mailbox, emailId, undo, labelled } = await here();
      await labelled();
      const draftId = await openWaitingReply(stack, workspace.id, mailbox, 'Invoice 1', { emailId });
      const which = { workspaceId: workspace.id, sourceKey: outgoingKey(replyOperation(emailId)) };
      const states = [
        [{ scheduledStatus: 'sending' }, 'The message is leaving now, and cannot be undone.'],
        [{ scheduledStatus: 'canceled' }, 'The reply was canceled since, and its draft is left to people.'],
        [{ folderType: 'TRASH' }, 'A person threw the draft away since, so there is nothing to undo.'],
        [{ isDraft: false }, 'A message that was sent cannot be undone.'],
      ] as const;
      for (const [state, error] of states) {
        await stack.collections.emails.updateOne(which, { $set: state });
        expect(await undo(draftId)).toMatchObject({ status: 409, json: { code: 'CONFLICT', error } });
      }
    });
  });
}

/** The effects of a rule in a period. */
function describePeriod(here: Here): void {
  describe('the labels of a rule in a period', () => {
    it('are undone by an owner where they are as the rule left them, and stand beside their decisions', async () => {
      const { workspace, owner, member, mailbox, rule, emailId, label, labelled } = await here();
      await labelled();
      const [other = ''] = await workspace.ingest(mailbox.id, [{ subject: 'Invoice 2' }]);
      const path = `${owner.workspace}/ai-label-rules/${rule.id}`;
      const decisions = async (): Promise<DecisionAnswer[]> =>
        (await owner.call('GET', `${path}/decisions`)).json.items;
      const ofEmail = async (id: string) => (await decisions()).find((decision) => decision.emailId === id)?.effect;
      await eventually(async () => expect(await ofEmail(other)).toMatchObject({ undoneAt: null, staysBecause: null }));
      await label('remove');
      const undo = async (from: string, to: string) => {
        const { status, json } = await owner.call('POST', `${path}/undo`, { body: { from, to } });
        expect(status).toBe(200);
        return json;
      };
      expect(await undo('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).toEqual({
        undone: 0,
        stays: [],
        nextCursor: null,
      });
      const because = 'A person removed the label since, so there is nothing to undo.';
      const [from, to] = [-60_000, 60_000].map((span) => new Date(Date.now() + span).toISOString());
      expect(await undo(from ?? '', to ?? '')).toEqual({ undone: 1, stays: [{ emailId, because }], nextCursor: null });
      expect(await ofEmail(other)).toMatchObject({ undoneAt: expect.any(String), staysBecause: null });
      expect(await ofEmail(emailId)).toMatchObject({ undoneAt: null, staysBecause: because });
      expect((await member.call('POST', `${path}/undo`, { body: { from, to } })).status).toBe(403);
      const listed = (await owner.call('GET', `${owner.workspace}/rule-decisions`)).json;
      expect(listed).toMatchObject({ hasMore: false, items: [{ emailId: other }, { emailId }] });
      expect(listed.items[0]).toMatchObject({
        ruleId: rule.id,
        applies: true,
        effect: { undoneAt: expect.any(String) },
      });
      expect((await member.call('GET', `${owner.workspace}/rule-decisions`)).status).toBe(403);
    });
  });
}

function describeForwards(stack: TestStack, here: Here): void {
  describe('the forward of a rule', () => {
    it('is stopped while it waits; one that was sent cannot be undone', async () => {
      const { workspace, owner, emailId, effects, undo, labelled } = await here();
      await labelled();
      const { sends } = stack.collections;
      const later = new Date(Date.now() + 3_600_000);
      const reason = 'subject contains “invoice”';
      const forward = (name: string, parts: Partial<SendDocument>) =>
        sends.create([
          {
            ...forwardOf(workspace.id, emailId),
            reason,
            scheduledSendAt: later,
            _id: `snd_${name}_${workspace.id}`,
            ...parts,
          },
        ]);
      await forward('waits', { state: 'scheduled', nextAt: later });
      await forward('left', { state: 'recorded', nextAt: null, createdAt: later });
      const sent = 'A message that was sent cannot be undone.';
      expect((await effects()).slice(1)).toMatchObject([
        { kind: 'forward', forwardTo: 'books@far.example', reason, confidence: null, model: '' },
        { kind: 'forward', staysBecause: sent },
      ]);
      expect((await undo(`snd_waits_${workspace.id}`)).status).toBe(204);
      expect(await undo(`snd_left_${workspace.id}`)).toMatchObject({ status: 409, json: { error: sent } });
      const stopped = { _id: `snd_waits_${workspace.id}`, workspaceId: workspace.id };
      await eventually(async () => expect(await sends.findOne(stopped).lean()).toMatchObject({ nextAt: null }));
      expect(await sends.findOne(stopped).lean()).toMatchObject({ state: 'canceled', scheduledSendAt: null });
      const told = (await owner.call('GET', `${owner.workspace}/activity?action=email.effect_undone`)).json.items;
      expect(told).toMatchObject([{ targetId: emailId }]);
    });
  });
}

function describeForwardPeriod(stack: TestStack, here: Here, people: () => AppPeople): void {
  describe('the forwards of a rule', () => {
    it('are stopped in a period by an owner; 403 for a member, 404 for another workspace', async () => {
      const { workspace, owner, member, emailId } = await here();
      const { sends } = stack.collections;
      const made = { conditionField: 'subject_contains', conditionValue: 'x', forwardTo: 'books@far.example' };
      const { rule } = (await owner.call('POST', `${owner.workspace}/auto-forward-rules`, { body: made })).json;
      const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));
      const insert = (minute: number, parts: Partial<SendDocument> = {}) =>
        sends.create([
          {
            ...forwardOf(workspace.id, emailId),
            ruleId: rule.id,
            reason: 'x',
            state: 'scheduled',
            nextAt: new Date(Date.now() + 3_600_000),
            scheduledSendAt: at(0),
            _id: `snd_${minute}_${workspace.id}`,
            createdAt: at(minute),
            ...parts,
          },
        ]);
      for (let minute = 0; minute < 30; minute += 1) await insert(minute);
      await insert(31, { state: 'recorded', nextAt: null });
      const path = `${owner.workspace}/auto-forward-rules/${rule.id}/undo`;
      const body = { from: at(1).toISOString(), to: at(31).toISOString() };
      expect((await member.call('POST', path, { body })).status).toBe(403);
      const stranger = await people().joined((await stack.workspace()).id, 'owner');
      expect((await stranger.call('POST', path, { body })).status).toBe(404);
      const foreign = path.replace(owner.workspace, stranger.workspace);
      expect((await stranger.call('POST', foreign, { body })).json.code).toBe('RULE_NOT_FOUND');
      const first = (await owner.call('POST', path, { body })).json;
      expect(first).toEqual({ undone: 25, stays: [], nextCursor: expect.any(String) });
      const second = (await owner.call('POST', path, { body: { ...body, cursor: first.nextCursor } })).json;
      expect(second).toEqual({ undone: 4, stays: [], nextCursor: null });
      const waiting = await sends.find({ workspaceId: workspace.id, state: 'scheduled' }, { _id: 1 }).lean();
      expect(waiting.map(({ _id }) => _id)).toEqual([`snd_0_${workspace.id}`]);
      expect((await owner.call('POST', path, { body: { ...body, cursor: 'no time' } })).status).toBe(400);
    });
  });
}
