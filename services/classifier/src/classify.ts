import { ApiError } from '@postroom/errors/api-error';
import type { MailboxWriteServiceDefinition, RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import { toMailText } from './mail/mail-text.ts';
import type { AskedEmail, MailStore } from './mail-store.ts';
import type { Judgement, Model } from './model/model.ts';
import type { RulesOf } from './recent-rules.ts';
import type { Rule } from './rule-store.ts';

export interface ClassifyDeps {
  mail: Pick<MailStore, 'find'>;
  rulesOf: RulesOf;
  model: Model;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'recordClassification'>;
  clock: Pick<Clock, 'now'>;
}

export interface WhichEmail {
  workspaceId: string;
  emailId: string;
  isBackfill: boolean;
  signal: AbortSignal;
}

const NOTHING_ASKED: Judgement = { verdicts: [], model: '', inputTokens: 0, outputTokens: 0 };

/**
 * Asks every rule of the workspace about one email and has the answer recorded. It may be repeated and run twice at
 * once: what is recorded is recorded once.
 */
export async function classify(deps: ClassifyDeps, which: WhichEmail): Promise<void> {
  const { mail, rulesOf, clock, mailboxWrite } = deps;
  const { workspaceId, emailId, isBackfill, signal } = which;
  const email = await mail.find(workspaceId, emailId);
  // Gone meanwhile, or done by an earlier delivery: nobody is asked again.
  if (!email || (email.classifiedAt && !isBackfill)) return;
  const rules = await rulesOf(workspaceId);
  if (isBackfill && rules.length === 0) return;
  const begun = clock.now();
  const { verdicts, ...said } = await judge(deps.model, rules, email, signal);
  const request = {
    ...said,
    emailId,
    isBackfill,
    verdicts: ofLabels(verdicts, rules),
    durationMs: Math.round(clock.now() - begun),
  };
  try {
    await mailboxWrite.recordClassification(request, { workspaceId, signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EMAIL_NOT_FOUND') return;
    throw error;
  }
}

function judge(model: Model, rules: readonly Rule[], email: AskedEmail, signal: AbortSignal): Promise<Judgement> {
  if (rules.length === 0) return Promise.resolve(NOTHING_ASKED);
  const asked = rules.map(({ _id: ruleId, condition }) => ({ ruleId, condition }));
  return model.judge({ rules: asked, mail: toMailText(email) }, signal);
}

/** Whatever a model says, a label comes from one of these rules and from nowhere else. */
function ofLabels(verdicts: Judgement['verdicts'], rules: readonly Rule[]): RuleVerdict[] {
  const byId = new Map(rules.map((rule) => [rule._id, rule]));
  return verdicts.flatMap((verdict) => {
    const rule = byId.get(verdict.ruleId);
    return rule ? [{ ...verdict, labelId: rule.labelId }] : [];
  });
}
