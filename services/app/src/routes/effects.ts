import { ApiError } from '@postroom/errors/api-error';
import type { Effect } from '@postroom/proto/postroom/v1/mailbox_read';
import { cursor } from '@postroom/resources/paging';
import { z } from 'zod';
import type { ListOf, PeriodUndoAnswer, UndoAnswer } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

type NamedEffect = Pick<Effect, 'id' | 'kind'>;

/** As many emails as the time of a call has room for. */
const EMAILS_OF_CALL = 25;
const moment = z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-03-01T12:00:00Z' });
const periodRequest = z.strictObject({ from: moment, to: moment, cursor });
/** Goes on with the forwards that were made before. */
const forwardPeriodRequest = periodRequest.extend({ cursor: moment.optional() });

/** Undo is triage: it takes back what rules did to an email, and sends nothing. */
export const effectAppRoutes = [
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/emails/{emailId}/effects/{effectId}/undo',
    needs: 'member',
    status: 204,
    call: async ({ params: { emailId, effectId } }, services, visit) => {
      const { effects } = await services.mailboxRead.explainEmail({ emailId }, visit);
      const effect = effects.find(({ id }) => id === effectId);
      if (!effect) throw new ApiError('NOT_FOUND', { message: 'This email has no such effect of a rule.' });
      return undo(effect, emailId, services, visit);
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/emails/{emailId}/undo',
    needs: 'member',
    call: async ({ params: { emailId } }, services, visit): Promise<ListOf<UndoAnswer>> => {
      const { effects } = await services.mailboxRead.explainEmail({ emailId }, visit);
      // The answer counts what this call undoes, and not what was undone before.
      const standing = effects.filter(({ undoneAt }) => undoneAt === undefined);
      return { items: await undoAll(standing, emailId, services, visit) };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/undo',
    needs: 'admin',
    body: periodRequest,
    call: async ({ params: { ruleId }, body }, services, visit): Promise<PeriodUndoAnswer> => {
      await services.labelRule.getAiLabelRule({ ruleId }, visit);
      return undoPeriod(ruleId, body, services, visit);
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/auto-forward-rules/{ruleId}/undo',
    needs: 'admin',
    body: forwardPeriodRequest,
    call: async ({ params: { ruleId }, body }, services, visit): Promise<PeriodUndoAnswer> => {
      await services.labelRule.getAutoForwardRule({ ruleId }, visit);
      return undoForwards(ruleId, body, services, visit);
    },
  }),
];

/** Stops forwards that wait, the newest first. A stopped forward waits no more, so the next call goes on with older ones. */
async function undoForwards(
  ruleId: string,
  { from, to, cursor: until = to }: z.output<typeof forwardPeriodRequest>,
  services: AppServices,
  visit: WorkspaceVisit,
): Promise<PeriodUndoAnswer> {
  const [since, last] = [from, until].map((at) => new Date(at).toISOString());
  const asked = { ruleId, since: since ?? '', until: last ?? '', limit: EMAILS_OF_CALL };
  const { items } = await services.outboundSend.listWaitingForwards(asked, visit);
  const answer: PeriodUndoAnswer = { undone: 0, stays: [], nextCursor: null };
  for (const { emailId, effectId } of items) {
    const { isUndone, because } = await ended({ id: effectId, kind: 'forward' }, emailId, services, visit);
    if (isUndone) answer.undone += 1;
    else answer.stays.push({ emailId, because: because ?? '' });
  }
  return { ...answer, nextCursor: items.length === EMAILS_OF_CALL ? (items.at(-1)?.createdAt ?? null) : null };
}

/**
 * Undoes the effects of a rule on some emails, the newest decisions first. Each effect is undone for itself, so that a call
 * that ends early is repeated. A later decision about an email may be a backfill: the effect tells when it was made.
 */
async function undoPeriod(
  ruleId: string,
  { from, to, cursor: after }: z.output<typeof periodRequest>,
  services: AppServices,
  visit: WorkspaceVisit,
): Promise<PeriodUndoAnswer> {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const asked = { ruleId, limit: EMAILS_OF_CALL, cursor: after, since: new Date(first).toISOString() };
  const { items, nextCursor = null } = await services.mailboxRead.listDecisions(asked, visit);
  const answer: PeriodUndoAnswer = { undone: 0, stays: [], nextCursor };
  for (const { emailId, email, applies, effect } of items) {
    if (!email || !(applies || effect)) continue;
    const { effects } = await services.mailboxRead.explainEmail({ emailId }, visit);
    const within = (at: string) => Date.parse(at) >= first && Date.parse(at) <= last;
    const own = effects.filter((one) => one.ruleId === ruleId && within(one.at) && one.undoneAt === undefined);
    for (const { isUndone, because } of await undoAll(own, emailId, services, visit)) {
      if (isUndone) answer.undone += 1;
      else answer.stays.push({ emailId, because: because ?? '' });
    }
  }
  return answer;
}

const undoAll = (effects: readonly Effect[], emailId: string, services: AppServices, visit: WorkspaceVisit) =>
  Promise.all(effects.map((effect) => ended(effect, emailId, services, visit)));

/** By the service that owns the state. */
function undo(
  { id: effectId, kind }: NamedEffect,
  emailId: string,
  { mailboxWrite, outboundSend }: AppServices,
  visit: WorkspaceVisit,
): Promise<object> {
  const asked = { actorId: visit.personId, emailId, effectId };
  return kind === 'forward' ? outboundSend.undoForward(asked, visit) : mailboxWrite.undoEffect(asked, visit);
}

async function ended(
  effect: NamedEffect,
  emailId: string,
  services: AppServices,
  visit: WorkspaceVisit,
): Promise<UndoAnswer> {
  const told = { effectId: effect.id, isUndone: true, because: null };
  try {
    await undo(effect, emailId, services, visit);
    return told;
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSALS.has(error.code)) throw error;
    return { ...told, isUndone: false, because: error.message };
  }
}

/** They say why this effect stays. The other effects of the email are undone all the same. */
const REFUSALS = new Set(['CONFLICT', 'NOT_FOUND', 'EMAIL_NOT_FOUND', 'NO_TRASH_FOLDER']);
