import { ApiError } from '@postroom/errors/api-error';
import type { Effect } from '@postroom/proto/postroom/v1/mailbox_read';
import type { ListOf, UndoAnswer } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

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
      return { items: await Promise.all(effects.map((effect) => ended(effect, emailId, services, visit))) };
    },
  }),
];

/** By the service that owns the state. */
function undo(
  { id: effectId, kind }: Effect,
  emailId: string,
  { mailboxWrite, outboundSend }: AppServices,
  visit: WorkspaceVisit,
): Promise<object> {
  const asked = { actorId: visit.personId, emailId, effectId };
  return kind === 'forward' ? outboundSend.undoForward(asked, visit) : mailboxWrite.undoEffect(asked, visit);
}

async function ended(
  effect: Effect,
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
