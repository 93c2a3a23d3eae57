import { bounds } from '@postroom/contract/bounds';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { Decision, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { Cursors } from '../cursors/cursors.ts';
import type { DecidedEmail, DecisionStore } from './decision-store.ts';

export type { DecisionStore } from './decision-store.ts';

export interface DecisionDeps {
  cursors: Cursors;
  decisions: DecisionStore;
}

export function decisionHandlers({ cursors, decisions }: DecisionDeps) {
  return {
    listDecisions: async ({ ruleId, limit, cursor }, call) => {
      const { workspaceId } = call;
      const query = ['decisions', workspaceId, ruleId];
      const after = cursor === undefined ? null : cursors.read(query, cursor).after;
      const most = Math.min(Math.max(1, limit), bounds.page.most);
      const found = await decisions.ofRule(workspaceId, ruleId, { after, limit: most + 1 }, call);
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
        items: shown.map((classification) => toMessageDecision(classification, ruleId, byId.get(classification._id))),
        nextCursor: end && cursors.write(query, end),
        hasMore,
      };
    },
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}

function toMessageDecision(
  { _id, mailboxId, verdicts, model, isBackfill, createdAt }: ClassificationDocument,
  ruleId: string,
  email: DecidedEmail | undefined,
): Decision {
  const { applies = false, confidence = 0, reason = '' } = verdicts.find((verdict) => verdict.ruleId === ruleId) ?? {};
  return {
    emailId: _id,
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
