import { ApiError } from '@postroom/errors/api-error';
import type { MailboxWriteServiceDefinition, RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import { type MailText, toMailText } from './mail/mail-text.ts';
import type { AskedEmail, MailStore } from './mail-store.ts';
import type { Judgement, Model } from './model/model.ts';
import { prepareReply, type ReplyDeps } from './prepare-reply.ts';
import type { RulesOf } from './recent-rules.ts';
import type { Rule } from './rule-store.ts';

export interface ClassifyDeps extends ReplyDeps {
  mail: Pick<MailStore, 'find'>;
  rulesOf: RulesOf;
  model: Model;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'keepVerdicts' | 'recordClassification'>;
  clock: Pick<Clock, 'now'>;
}

export interface WhichEmail {
  workspaceId: string;
  emailId: string;
  isBackfill: boolean;
  /** When a backfill was asked for: the rules of then are meant. For others it is when the email came. */
  askedAt?: Date;
  signal: AbortSignal;
}

const NOTHING_ASKED: Judgement = { verdicts: [], model: '', inputTokens: 0, outputTokens: 0 };

/**
 * Asks every rule of the workspace about one email, has a reply prepared where one says so, and the answer recorded. It
 * may be repeated and run twice at once: what is recorded is recorded once, and last, so that whoever dies on the way
 * leaves an email that still waits for it all.
 */
export async function classify(deps: ClassifyDeps, which: WhichEmail): Promise<void> {
  const { mail, rulesOf, clock, mailboxWrite } = deps;
  const { workspaceId, emailId, isBackfill, askedAt, signal } = which;
  const asked = await find(mail, workspaceId, emailId);
  const email = asked?.email;
  // Gone meanwhile, or done by an earlier delivery: nobody is asked again.
  if (!asked || !email || (email.classifiedAt && !isBackfill)) return;
  const rules = await rulesOf(workspaceId, askedAt ?? email.receivedAt);
  if (isBackfill && rules.length === 0) return;
  const begun = clock.now();
  const { verdicts, ...said } = await judge(deps.model, rules, asked.mail, signal);
  const request = {
    ...said,
    emailId,
    isBackfill,
    verdicts: ofLabels(verdicts, rules),
    durationMs: Math.round(clock.now() - begun),
  };
  const call = { workspaceId, signal };
  try {
    if (!isBackfill && rules.some(({ autoDraftEnabled }) => autoDraftEnabled)) {
      // A model may say something else the next time: the reply and the labels are those of what it said first.
      request.verdicts = (await mailboxWrite.keepVerdicts(request, call)).verdicts;
      await prepareReply(deps, { ...asked, rules, verdicts: request.verdicts }, call);
    }
    await mailboxWrite.recordClassification(request, call);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EMAIL_NOT_FOUND') return;
    throw error;
  }
}

interface Asked {
  email: Omit<AskedEmail, 'html' | 'text'>;
  mail: MailText;
}

/** Its bodies are let go at once: a hundred wait for a model at a time, and each may have megabytes. */
async function find(store: ClassifyDeps['mail'], workspaceId: string, emailId: string): Promise<Asked | undefined> {
  const found = await store.find(workspaceId, emailId);
  if (!found) return undefined;
  const { html: _html, text: _text, ...email } = found;
  return { email, mail: toMailText(found) };
}

function judge(model: Model, rules: readonly Rule[], mail: MailText, signal: AbortSignal): Promise<Judgement> {
  if (rules.length === 0) return Promise.resolve(NOTHING_ASKED);
  const asked = rules.map(({ _id: ruleId, condition }) => ({ ruleId, condition }));
  return model.judge({ rules: asked, mail }, signal);
}

/** Whatever a model says, a label comes from one of these rules and from nowhere else. */
function ofLabels(verdicts: Judgement['verdicts'], rules: readonly Rule[]): RuleVerdict[] {
  const byId = new Map(rules.map((rule) => [rule._id, rule]));
  return verdicts.flatMap((verdict) => {
    const rule = byId.get(verdict.ruleId);
    return rule ? [{ ...verdict, labelId: rule.labelId }] : [];
  });
}
