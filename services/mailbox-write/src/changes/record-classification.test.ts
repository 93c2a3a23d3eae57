import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, openChangeWorld, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createChangeHandlers>;

beforeAll(async () => {
  world = await openChangeWorld();
  handlers = createChangeHandlers({ ...world, relay: { publishSoon: () => undefined } });
});
afterAll(() => world.close());

const verdict = (labelId: string, applies = true) => ({
  ruleId: `air_${labelId}`,
  labelId,
  applies,
  confidence: 90,
  reason: 'it says so',
});
const asked = (emailId: string, labelIds: string[], isBackfill = false) => ({
  emailId,
  verdicts: labelIds.map((labelId) => verdict(labelId)),
  isBackfill,
  model: 'small',
  inputTokens: 10,
  outputTokens: 5,
  durationMs: 3,
});
/** With what the classifier has read of the email. */
const told = async (emailId: string, labelIds: string[]) => {
  const { mailboxId, senderAddress, subject } = await world.stored(emailId);
  return { ...asked(emailId, labelIds), email: { mailboxId, senderAddress, subject } };
};
const waiting = { awaitsClassificationSince: new Date('2026-01-02T03:04:05Z') };
const labelsOf = async (emailId: string) => (await world.stored(emailId)).labelIds;
const pendingTypes = async (emailId: string) => (await world.pendingEvents(emailId)).map(({ type }) => type);

describe('recordClassification', () => {
  it('puts the labels on, stores an event for each and one for the email, and keeps the reasons', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const request = asked(emailId, [one, other]);
    request.verdicts[1] = verdict(other, false);
    expect((await handlers.recordClassification(request, call)).labelIds).toEqual([one]);

    const { senderAddress: sender, subject } = await world.stored(emailId);
    const compared = { sender, subject, labelNames: [expect.any(String)], isAutomatic: false };
    expect(await world.stored(emailId)).toMatchObject({ labelIds: [one], classifiedAt: expect.any(Date) });
    expect(await world.stored(emailId)).not.toHaveProperty('awaitsClassificationSince');
    expect(await world.pendingEvents(emailId)).toEqual([
      { type: 'label.applied', data: expect.objectContaining({ tagId: one, isAiLabel: true }) },
      { type: 'email.classified', data: { emailId, labelIds: [one], compared } },
    ]);
    const kept = await world.stores.classifications.find(call.workspaceId, emailId, call);
    expect(kept).toMatchObject({ verdicts: request.verdicts, model: 'small', inputTokens: 10, isBackfill: false });
    expect(Number(kept?.expiresAt) - Number(kept?.createdAt)).toBe(90 * 24 * 3_600_000);
  });

  it('answers a repeat as the first time and adds nothing, whatever the repeat was told', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const answers = [];
    for (const labelIds of [[one], [one, other], []]) {
      answers.push(await handlers.recordClassification(asked(emailId, labelIds), call));
    }
    expect(answers.map(({ labelIds }) => labelIds)).toEqual([[one], [one], [one]]);
    expect(await labelsOf(emailId)).toEqual([one]);
  });

  it('goes on with what was said first after a crash between keeping it and putting the labels on', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const change = () => Promise.reject(new Error('killed'));
    const stores = { ...world.stores, changes: { ...world.stores.changes, change } };
    const dying = createChangeHandlers({ ...world, stores, relay: { publishSoon: () => undefined } });
    await expect(dying.recordClassification(asked(emailId, [one]), call)).rejects.toThrow('killed');
    expect(await handlers.recordClassification(asked(emailId, [other]), call)).toMatchObject({ labelIds: [one] });
    expect(await labelsOf(emailId)).toEqual([one]);
  });

  it('records nothing where other verdicts were kept before, and answers with those, if it is asked to', async () => {
    const { call, emails, label } = await world.workspace();
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const [emailId = '', sameId = '', emptyId = ''] = await emails(3, waiting);
    const kept = asked(emailId, [one]);
    await handlers.keepVerdicts(kept, call);
    const unlessKept = { ...asked(emailId, [other]), unlessOthersKept: true };
    const answer = { labelIds: [], othersKept: kept.verdicts };
    expect(await handlers.recordClassification(unlessKept, call)).toEqual(answer);
    expect(await world.stored(emailId)).toMatchObject({ labelIds: [], ...waiting });
    expect(await handlers.recordClassification(asked(emailId, [other]), call)).toMatchObject({ labelIds: [one] });

    // Verdicts with the same effect, and verdicts without one, are recorded at once.
    await handlers.keepVerdicts(asked(sameId, [one]), call);
    await handlers.keepVerdicts({ ...asked(emptyId, []), verdicts: [verdict(one, false)] }, call);
    for (const [id, labelIds] of [[sameId, [one]] as const, [emptyId, []] as const]) {
      const request = { ...asked(id, [id === sameId ? one : other]), unlessOthersKept: true };
      expect(await handlers.recordClassification(request, call)).toEqual({ labelIds, othersKept: [] });
      expect(await world.stored(id)).toMatchObject({ classifiedAt: expect.any(Date) });
    }
  });

  it('classifies once, and each label comes on once, when twenty say so at once and somebody labels by hand', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const labelId = await label({ isAiLabel: true });
    await Promise.all([
      ...Array.from({ length: 20 }, () => handlers.recordClassification(asked(emailId, [labelId]), call)),
      handlers.applyLabel({ emailId, labelId }, call),
    ]);
    expect(await labelsOf(emailId)).toEqual([labelId]);
    expect(await pendingTypes(emailId)).toEqual(['label.applied', 'email.classified']);
  });

  it('says once that an email is classified when no rule applies, however many say so', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const said: unknown[] = [];
    const publishSoon = (written: readonly unknown[]) => void said.push(...written);
    const counted = createChangeHandlers({ ...world, relay: { publishSoon } });
    const twenty = Array.from({ length: 20 }, () => counted.recordClassification(asked(emailId, []), call));
    expect(await Promise.all(twenty)).toMatchObject(twenty.map(() => ({ labelIds: [] })));
    expect(said).toHaveLength(1);
    expect(await world.pendingEvents(emailId)).toMatchObject([
      { type: 'email.classified', data: { emailId, labelIds: [], compared: { labelNames: [] } } },
    ]);
  });

  it('passes over labels that are deleted, foreign, or were made by hand', async () => {
    const [{ call, emails, label }, theirs] = [await world.workspace(), await world.workspace()];
    const [emailId = ''] = await emails(1, waiting);
    const gone = await label({ isAiLabel: true, deletedAt: new Date() });
    const labelIds = [gone, await label(), await theirs.label({ isAiLabel: true }), 'lbl_unknown'];
    expect(await handlers.recordClassification(asked(emailId, labelIds), call)).toMatchObject({ labelIds: [] });
    expect(await labelsOf(emailId)).toEqual([]);
    expect(await pendingTypes(emailId)).toEqual(['email.classified']);
  });

  it('adds the labels of a backfill and nothing else, and leaves the email to wait for its own', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    await handlers.recordClassification(asked(emailId, [one], true), call);
    expect(await handlers.recordClassification(asked(emailId, [one], true), call)).toMatchObject({ labelIds: [one] });
    expect(await pendingTypes(emailId)).toEqual(['label.applied']);
    expect(await world.stored(emailId)).toMatchObject({ labelIds: [one], ...waiting });
    expect(await handlers.recordClassification(asked(emailId, [other]), call)).toMatchObject({ labelIds: [other] });
    expect(await labelsOf(emailId)).toEqual([one, other]);
    expect(await pendingTypes(emailId)).toEqual(['label.applied', 'label.applied', 'email.classified']);
  });

  it('reads no email that its classifier has read, and takes the label that was put on meanwhile as it is', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = '', labelledId = ''] = await emails(2, waiting);
    const labelId = await label({ isAiLabel: true });
    const read: string[] = [];
    const find: ChangeWorld['stores']['changes']['find'] = (workspaceId, id, budget) => {
      read.push(id);
      return world.stores.changes.find(workspaceId, id, budget);
    };
    const stores = { ...world.stores, changes: { ...world.stores.changes, find } };
    const watched = createChangeHandlers({ ...world, stores, relay: { publishSoon: () => undefined } });
    await watched.keepVerdicts(await told(emailId, [labelId]), call);
    await watched.recordClassification(await told(emailId, [labelId]), call);
    expect(read).toEqual([]);
    await handlers.applyLabel({ emailId: labelledId, labelId }, call);
    await watched.recordClassification(await told(labelledId, [labelId]), call);
    expect(read).toEqual([labelledId]);
    for (const id of [emailId, labelledId]) {
      const { senderAddress: sender, subject } = await world.stored(id);
      expect(await labelsOf(id)).toEqual([labelId]);
      expect((await world.pendingEvents(id)).at(-1)).toMatchObject({
        type: 'email.classified',
        data: { labelIds: [labelId], compared: { sender, subject } },
      });
    }
  });

  it('classifies once when ten have read the email, ten have not, and somebody labels by hand', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const labelId = await label({ isAiLabel: true });
    const requests = [await told(emailId, [labelId]), asked(emailId, [labelId])];
    await Promise.all([
      ...Array.from({ length: 10 }, () => requests.map((one) => handlers.recordClassification(one, call))).flat(),
      handlers.applyLabel({ emailId, labelId }, call),
    ]);
    expect(await labelsOf(emailId)).toEqual([labelId]);
    expect(await pendingTypes(emailId)).toEqual(['label.applied', 'email.classified']);
  });

  it('puts on the labels of the verdicts that were kept before a reply, with their model, and keeps them once', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const labelId = await label({ isAiLabel: true });
    await handlers.keepVerdicts({ ...asked(emailId, [labelId]), model: 'first', reply: 'The first text.' }, call);
    const kept = await handlers.keepVerdicts({ ...asked(emailId, []), reply: 'Another text.' }, call);
    expect(kept).toMatchObject({ verdicts: [verdict(labelId)], model: 'first', reply: 'The first text.' });
    const keepFirst = () => Promise.reject(new Error('kept again'));
    const stores = { ...world.stores, classifications: { ...world.stores.classifications, keepFirst } };
    const recording = createChangeHandlers({ ...world, stores, relay: { publishSoon: () => undefined } });
    await recording.recordClassification({ ...(await told(emailId, [])), ...kept, areKept: true }, call);
    expect(await world.stored(emailId)).toMatchObject({
      labelIds: [labelId],
      classifiedAt: expect.any(Date),
      labelEffects: [{ model: 'first' }],
    });
  });

  it('keeps what a reply follows while a backfill labels its email, and nothing of it behind a later backfill', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const backfill = { ...asked(emailId, [other]), isBackfill: true };
    await handlers.keepVerdicts({ ...asked(emailId, [one]), reply: 'The text.' }, call);
    expect(await handlers.recordClassification(backfill, call)).toMatchObject({ labelIds: [other] });
    const kept = await handlers.keepVerdicts(asked(emailId, []), call);
    expect(kept).toMatchObject({ verdicts: [verdict(one)], reply: 'The text.' });

    await handlers.recordClassification(asked(emailId, [one]), call);
    await handlers.recordClassification(backfill, call);
    const again = await handlers.keepVerdicts(asked(emailId, []), call);
    expect(again).toMatchObject({ verdicts: [verdict(other)], reply: undefined });
  });

  it('leaves the verdicts of a backfill as they are at a late repeat, and answers with them', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const first = await told(emailId, [one]);
    await handlers.recordClassification(first, call);
    await handlers.recordClassification(asked(emailId, [other], true), call);
    expect(await handlers.recordClassification(first, call)).toMatchObject({ labelIds: [other] });
    expect(await world.stores.classifications.find(call.workspaceId, emailId, call)).toMatchObject({
      verdicts: [verdict(other)],
      isBackfill: true,
    });
  });

  it('of a backfill gives a label once: a repeat leaves it off where a person took it off, and another backfill gives it', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1);
    const [one, other] = [await label({ isAiLabel: true }), await label({ isAiLabel: true })];
    const backfill = (backfillId: string, labelIds: string[]) =>
      handlers.recordClassification({ ...asked(emailId, labelIds, true), backfillId }, call);
    await backfill('bfj_1', [one]);
    await handlers.removeLabel({ emailId, labelId: one }, call);
    await backfill('bfj_1', [one, other]);
    expect(await labelsOf(emailId)).toEqual([other]);
    await backfill('bfj_2', [one, other]);
    expect(await labelsOf(emailId)).toEqual([other, one]);
  });

  it('404 EMAIL_NOT_FOUND for an email that was removed meanwhile, of which no verdict is left', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1, waiting);
    const request = await told(emailId, [await label({ isAiLabel: true })]);
    await world.collections.emails.deleteOne({ _id: emailId });
    await handlers.keepVerdicts(request, call);
    expect(await codeOf(handlers.recordClassification({ ...request, areKept: true }, call))).toBe('EMAIL_NOT_FOUND');
    expect(await world.stores.classifications.find(call.workspaceId, emailId, call)).toBeNull();
  });

  it('404 EMAIL_NOT_FOUND for an unknown and for a foreign email', async () => {
    const [{ call }, theirs] = [await world.workspace(), await world.workspace()];
    for (const emailId of ['eml_unknown', ...(await theirs.emails(1, waiting))]) {
      expect(await codeOf(handlers.recordClassification(asked(emailId, []), call))).toBe('EMAIL_NOT_FOUND');
    }
  });
});
