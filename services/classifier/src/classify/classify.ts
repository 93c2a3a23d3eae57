import { ApiError } from '@postroom/errors/api-error';
import type {
  MailboxWriteServiceDefinition,
  RecordClassificationRequest,
  RuleVerdict,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { CompiledConditions } from '../compiled-conditions/compiled-conditions.ts';
import { type MailText, toMailText } from '../mail/mail-text.ts';
import type { Correspondence } from '../correspondence/correspondence.ts';
import type { RulesOf } from './current-rules.ts';
import type { AskedEmail, ClassifiedEmailStore } from './mail-store.ts';
import type { Judgement, Model } from '../model/model.ts';
import type { KeptAnswers, KeptAnswersStore } from './kept-answers-store.ts';
import {
  type ReplyCall,
  replyingRule,
  scheduleReply,
  type ScheduleReplyDeps,
  askForText,
  type ReplyTextDeps,
} from './prepare-reply.ts';
import type { Rule, RuleStore } from './rule-store.ts';

export interface MailTextDeps {
  mail: Pick<ClassifiedEmailStore, 'body'>;
  correspondence: Pick<Correspondence, 'hasWrittenToSender'>;
}

export interface ClassifyDeps extends ReplyTextDeps, ScheduleReplyDeps {
  mail: Pick<ClassifiedEmailStore, 'body'>;
  rulesOf: RulesOf;
  livingRules: RuleStore['living'];
  answers: KeptAnswersStore;
  compiled: CompiledConditions;
  model: Model;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'keepVerdicts' | 'recordClassification'>;
  clock: Pick<Clock, 'now'>;
}

export interface Asking {
  workspaceId: string;
  email: AskedEmail;
  /** Of the backfill that asks. Absent for mail that has just arrived. */
  backfillId?: string;
  /** An earlier attempt may have kept its answers. */
  isRepeat?: boolean;
  /** Called before anything is done that costs. It throws where nothing is to be done. */
  begin?: () => Promise<void>;
  signal: AbortSignal;
}

/** Without its mail where no model was asked. */
type Judged = Judgement & { mail?: MailText };

const NOTHING_ASKED: Judged = { verdicts: [], model: '', inputTokens: 0, outputTokens: 0 };
const BY_PATTERNS = { model: 'learned pattern', inputTokens: 0, outputTokens: 0 };

/**
 * Checks all rules of the workspace for one email, prepares a reply if one says so, and records the verdicts. It may be
 * repeated and run twice at once: the verdicts are recorded once, and last, so that an email of a process that died still
 * waits for everything.
 */
export async function classify(deps: ClassifyDeps, asking: Asking): Promise<void> {
  const { clock, mailboxWrite } = deps;
  const { workspaceId, email, backfillId, begin, signal } = asking;
  const isBackfill = backfillId !== undefined;
  const rules = await deps.rulesOf(workspaceId);
  if (isBackfill && rules.length === 0) return;
  const begun = clock.now();
  const call = { workspaceId, signal };
  if (rules.length > 0) await begin?.();
  const mayReply = !isBackfill && rules.some(({ autoDraftEnabled }) => autoDraftEnabled);
  const earlier = mayReply && asking.isRepeat ? await deps.answers.find(workspaceId, email._id) : undefined;
  const isAsked = rules.length > 0 && !earlier;
  const { mail, verdicts, ...said } = isAsked ? await judge(deps, rules, asking) : NOTHING_ASKED;
  const { mailboxId, senderAddress, subject, isAutomatic } = email;
  const request = {
    ...said,
    emailId: email._id,
    email: { mailboxId, senderAddress, subject, isAutomatic },
    isBackfill,
    backfillId,
    verdicts: ofLabels(verdicts, rules),
    durationMs: Math.round(clock.now() - begun),
  };
  try {
    if (mayReply) {
      const textOf = textWriter(deps, { email, mail }, call);
      const kept = earlier ?? (await keep(mailboxWrite, { email, rules, request, textOf }, call));
      if (!kept) return;
      const { reply, ...answers } = kept;
      Object.assign(request, answers);
      const living = await deps.livingRules(workspaceId, rules);
      const rule = replyingRule({ email, rules: living, verdicts: kept.verdicts });
      const text = rule && (reply ?? (await textOf(rule)));
      if (rule && text) await scheduleReply(deps, { email, verdicts: kept.verdicts, rule, text }, call);
    }
    await mailboxWrite.recordClassification(request, call);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EMAIL_NOT_FOUND') return;
    throw error;
  }
}

type TextOf = (rule: Rule) => Promise<string | undefined>;

/** Of one attempt at one email, whichever rule it is for: the model is asked at most once. */
function textWriter(
  deps: ClassifyDeps,
  { email, mail }: { email: AskedEmail; mail: MailText | undefined },
  call: ReplyCall,
): TextOf {
  let text: ReturnType<TextOf> | undefined;
  const write: TextOf = async (rule) => {
    const shown = mail ?? (await mailTextOf(deps, call.workspaceId, email));
    return askForText(deps, { email, mail: shown, rule }, call);
  };
  return (rule) => (text ??= write(rule));
}

interface ToKeep {
  email: AskedEmail;
  rules: readonly Rule[];
  request: RecordClassificationRequest;
  textOf: TextOf;
}

/**
 * A model may give other answers the next time, and each costs. The reply and the labels follow the first ones, so these are
 * kept before a reply. Verdicts that answer nobody are recorded at once: undefined then, unless others were kept before.
 */
async function keep(
  mailboxWrite: ClassifyDeps['mailboxWrite'],
  { email, rules, request, textOf }: ToKeep,
  call: ReplyCall,
): Promise<KeptAnswers | undefined> {
  const answering = replyingRule({ email, rules, verdicts: request.verdicts });
  if (answering) {
    const { verdicts, model, reply } = await mailboxWrite.keepVerdicts(
      // An empty text was asked for as well, and is not asked for again.
      { ...request, reply: (await textOf(answering)) ?? '' },
      call,
    );
    // A mailbox-write of an earlier version does not tell the model.
    return { verdicts, reply, ...(model !== undefined && { model, areKept: true }) };
  }
  const { othersKept } = await mailboxWrite.recordClassification({ ...request, unlessOthersKept: true }, call);
  return othersKept.length > 0 ? { verdicts: othersKept } : undefined;
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

/** The verdicts of patterns where every rule has one, and otherwise those of the model, from which patterns learn. */
async function judge(
  deps: ClassifyDeps,
  rules: readonly Rule[],
  { workspaceId, email, signal }: Asking,
): Promise<Judged> {
  const patterns = await deps.compiled.of(workspaceId, email, rules);
  if (patterns.verdicts) return { verdicts: patterns.verdicts, ...BY_PATTERNS };
  const mail = await mailTextOf(deps, workspaceId, email);
  const asked = rules.map(({ _id: ruleId, condition }) => ({ ruleId, condition }));
  const ruleIds = asked.map(({ ruleId }) => ruleId);
  const judgement = await deps.model.judge({ rules: asked, mail }, signal, deps.modelUse.of(workspaceId, ruleIds));
  await patterns.learn(judgement.verdicts);
  return { ...judgement, mail };
}

/** A label comes from one of these rules and from nowhere else, whatever a model says. */
function ofLabels(verdicts: Judgement['verdicts'], rules: readonly Rule[]): RuleVerdict[] {
  const byId = new Map(rules.map((rule) => [rule._id, rule]));
  return verdicts.flatMap((verdict) => {
    const rule = byId.get(verdict.ruleId);
    return rule ? [{ ...verdict, labelId: rule.labelId, ruleUpdatedAt: rule.updatedAt.toISOString() }] : [];
  });
}
