import { ApiError } from '@postroom/errors/api-error';
import type {
  MailboxWriteServiceDefinition,
  RecordClassificationRequest,
  RuleVerdict,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import { type MailText, toMailText } from '../mail/mail-text.ts';
import type { Correspondence } from '../correspondence/correspondence.ts';
import type { RulesOf } from './current-rules.ts';
import type { AskedEmail, ClassifiedEmailStore } from './mail-store.ts';
import type { Judgement, Model } from '../model/model.ts';
import { prepareReply, type PrepareReplyDeps, replyingRule } from './prepare-reply.ts';
import type { Rule } from './rule-store.ts';

export interface MailTextDeps {
  mail: Pick<ClassifiedEmailStore, 'body'>;
  correspondence: Pick<Correspondence, 'hasWrittenToSender'>;
}

export interface ClassifyDeps extends PrepareReplyDeps {
  mail: Pick<ClassifiedEmailStore, 'body'>;
  rulesOf: RulesOf;
  model: Model;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'keepVerdicts' | 'recordClassification'>;
  clock: Pick<Clock, 'now'>;
}

export interface Asking {
  workspaceId: string;
  email: AskedEmail;
  isBackfill: boolean;
  /** Called before anything is done that costs. It throws where nothing is to be done. */
  begin?: () => Promise<void>;
  signal: AbortSignal;
}

const NOTHING_ASKED: Judgement = { verdicts: [], model: '', inputTokens: 0, outputTokens: 0 };

/**
 * Checks all rules of the workspace for one email, prepares a reply if one says so, and records the verdicts. It may be
 * repeated and run twice at once: the verdicts are recorded once, and last, so that an email of a process that died still
 * waits for everything.
 */
export async function classify(deps: ClassifyDeps, asking: Asking): Promise<void> {
  const { clock, mailboxWrite } = deps;
  const { workspaceId, email, isBackfill, begin, signal } = asking;
  const rules = await deps.rulesOf(workspaceId);
  if (isBackfill && rules.length === 0) return;
  const begun = clock.now();
  const call = { workspaceId, signal };
  if (rules.length > 0) await begin?.();
  const mail = rules.length > 0 ? await mailTextOf(deps, workspaceId, email) : undefined;
  const { verdicts, ...said } = mail ? await judge(deps, workspaceId, rules, mail, signal) : NOTHING_ASKED;
  const request = {
    ...said,
    emailId: email._id,
    isBackfill,
    verdicts: ofLabels(verdicts, rules),
    durationMs: Math.round(clock.now() - begun),
  };
  try {
    if (mail && !isBackfill && rules.some(({ autoDraftEnabled }) => autoDraftEnabled)) {
      const kept = await keep(mailboxWrite, { email, rules, request }, call);
      if (!kept) return;
      request.verdicts = kept;
      await prepareReply(deps, { email, mail, rules, verdicts: kept }, call);
    }
    await mailboxWrite.recordClassification(request, call);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EMAIL_NOT_FOUND') return;
    throw error;
  }
}

/**
 * A model may give other verdicts the next time. The reply and the labels follow the first ones, so these are kept before
 * a reply. Verdicts that answer nobody are recorded at once: undefined then, unless others were kept before.
 */
async function keep(
  mailboxWrite: ClassifyDeps['mailboxWrite'],
  { email, rules, request }: { email: AskedEmail; rules: readonly Rule[]; request: RecordClassificationRequest },
  call: { workspaceId: string; signal: AbortSignal },
): Promise<RuleVerdict[] | undefined> {
  if (replyingRule({ email, rules, verdicts: request.verdicts }))
    return (await mailboxWrite.keepVerdicts(request, call)).verdicts;
  const { othersKept } = await mailboxWrite.recordClassification({ ...request, unlessOthersKept: true }, call);
  return othersKept.length > 0 ? othersKept : undefined;
}

/** Its bodies are let go at once: a hundred wait for a model at a time, and each may have megabytes. */
export async function mailTextOf(
  { mail, correspondence }: MailTextDeps,
  workspaceId: string,
  email: AskedEmail,
): Promise<MailText> {
  const [body, hasWrittenToSender] = await Promise.all([
    mail.body(workspaceId, email._id),
    correspondence.hasWrittenToSender(workspaceId, email),
  ]);
  return toMailText({ ...email, ...body, hasWrittenToSender });
}

function judge(
  { model, modelUse }: ClassifyDeps,
  workspaceId: string,
  rules: readonly Rule[],
  mail: MailText,
  signal: AbortSignal,
): Promise<Judgement> {
  const asked = rules.map(({ _id: ruleId, condition }) => ({ ruleId, condition }));
  const ruleIds = asked.map(({ ruleId }) => ruleId);
  return model.judge({ rules: asked, mail }, signal, modelUse.of(workspaceId, ruleIds));
}

/** A label comes from one of these rules and from nowhere else, whatever a model says. */
function ofLabels(verdicts: Judgement['verdicts'], rules: readonly Rule[]): RuleVerdict[] {
  const byId = new Map(rules.map((rule) => [rule._id, rule]));
  return verdicts.flatMap((verdict) => {
    const rule = byId.get(verdict.ruleId);
    return rule ? [{ ...verdict, labelId: rule.labelId, ruleUpdatedAt: rule.updatedAt.toISOString() }] : [];
  });
}
