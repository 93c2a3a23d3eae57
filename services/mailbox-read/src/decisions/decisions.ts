import { bounds } from '@postroom/contract/bounds';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { Decision, LabelEffect, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import { recentEffects, undoneOf, whyLabelStays } from '@postroom/mail-store/effect-state';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Cursors } from '../cursors/cursors.ts';
import type { DecidedEmail, DecisionStore } from './decision-store.ts';

export type { DecisionStore } from './decision-store.ts';

export interface DecisionDeps {
  context: Pick<ServiceContext, 'clock'>;
  cursors: Cursors;
  decisions: DecisionStore;
}

export function decisionHandlers({ cursors, decisions, context: { clock } }: DecisionDeps) {
  return {
    listDecisions: async ({ ruleId, limit, cursor, since }, call) => {
      const { workspaceId } = call;
      const now = clock.date();
      const query = ['decisions', workspaceId, ruleId ?? null, since];
      const after = cursor === undefined ? null : cursors.read(query, cursor).after;
      const most = Math.min(Math.max(1, limit), bounds.page.most);
      const which = { ruleId, since: since === undefined ? null : new Date(since) };
      const found = await decisions.newest(workspaceId, which, { after, limit: most + 1 }, call);
      const shown = found.slice(0, most);
      const emails = await decisions.emails(
        workspaceId,
        shown.map(({ _id }) => _id),
        call,
      );
      const byId = new Map(emails.map((email) => [email._id, email]));
      const last = shown.at(-1);
      const hasMore = found.length > most;
      const end = hasMore && last ? { tier: 0, after: { date: last.createdAt, id: last._id } } : undefined;
      return {
        items: shown.flatMap((classification) => {
          const email = byId.get(classification._id);
          return ruleIdsOf(classification, ruleId).map((id) => {
            return { ...toMessageDecision(classification, id, email), effect: email && effectOf(email, id, now) };
          });
        }),
        nextCursor: end && cursors.write(query, end),
        hasMore,
      };
    },
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}

function ruleIdsOf({ verdicts }: ClassificationDocument, ruleId: string | undefined): string[] {
  return ruleId === undefined ? verdicts.filter(({ applies }) => applies).map((one) => one.ruleId) : [ruleId];
}

function toMessageDecision(
  { _id, mailboxId, verdicts, model, isBackfill, createdAt }: ClassificationDocument,
  ruleId: string,
  email: DecidedEmail | undefined,
): Decision {
  const { applies = false, confidence = 0, reason = '' } = verdicts.find((verdict) => verdict.ruleId === ruleId) ?? {};
  return {
    emailId: _id,
    ruleId,
    mailboxId,
    email: email && {
      subject: email.subject,
      from: { email: email.from.email, name: email.from.name ?? undefined },
      date: email.date.toISOString(),
    },
    applies,
    confidence,
    reason,
    model,
    isBackfill,
    decidedAt: createdAt.toISOString(),
  };
}

function effectOf(email: DecidedEmail, ruleId: string, now: Date): LabelEffect | undefined {
  const effect = recentEffects(email, now).findLast((one) => one.ruleId === ruleId);
  if (!effect) return undefined;
  const undone = undoneOf(email, effect.id);
  const staysBecause = undone ? undefined : (whyLabelStays(email, effect) ?? undefined);
  return { id: effect.id, at: effect.at.toISOString(), undoneAt: undone?.at.toISOString(), staysBecause };
}
