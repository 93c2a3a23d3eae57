import { ApiError } from '@postroom/errors/api-error';
import type {
  ClassifierServiceDefinition,
  ModelSpend,
  RuleTestRequest,
  TestVerdict,
} from '@postroom/proto/postroom/v1/classifier';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import { mailTextOf } from '../classify/classify.ts';
import type { RulesOf } from '../classify/current-rules.ts';
import type { AskedEmail } from '../classify/mail-store.ts';
import type { AskedRule, EstimatingModel, ModelEstimate, Prices, Verdict } from '../model/model.ts';
import { costOf, type ModelUseCounts } from '../model-use/model-use.ts';
import { type AskDeps, askAll } from './ask.ts';
import type { RuleTestStore } from './rule-test-store.ts';

export interface RuleTestDeps extends AskDeps {
  tests: RuleTestStore;
  rulesOf: RulesOf;
  model: EstimatingModel;
  modelUse: Pick<ModelUseCounts, 'of' | 'addTested'>;
  prices: Prices;
  /** Whether live mail waits for the classifier. */
  isLiveMailDue: () => Promise<boolean>;
}

/** Tests take no permit of live mail. So few batches at once, and one of a workspace, are the load that they add. */
const AT_ONCE = 2;
const MOST_WAITING = 4;
const DAY_MS = 86_400_000;
/** Five full tests. Each email is a call that somebody pays. */
const MOST_TESTED_A_DAY = 5_000;
/** The part of the time limit that is left to read the emails and to answer. */
const AROUND_MS = 1_000;
/** It names a rule that is not stored yet. */
const NEW_RULE = 'air_new';

const refusal = () =>
  new ApiError('RATE_LIMIT_EXCEEDED', { message: 'Other tests of rules run now; try again in a moment.' });
const createPermits = () => createFairLimit({ total: AT_ONCE, perOwner: 1, mostWaiting: MOST_WAITING, refusal });

/** Reads emails and asks the model about them. Nothing is written but the counts of model use. */
export function ruleTestHandlers(deps: RuleTestDeps) {
  const [estimates, tests] = [createPermits(), createPermits()];
  return {
    estimateRuleTest: (request, call) =>
      estimates.run(call.workspaceId, () => estimate(deps, request, call), { signal: call.signal }),
    testRule: (request, call) => tests.run(call.workspaceId, () => test(deps, request, call), { signal: call.signal }),
  } satisfies Partial<Handlers<ClassifierServiceDefinition>>;
}

async function estimate(deps: RuleTestDeps, request: RuleTestRequest, call: Call) {
  const { workspaceId } = call;
  const rule = await ruleOf(deps, request, workspaceId);
  const found = await emailsOf(deps, request, workspaceId);
  const decisions = await deps.tests.decisions(workspaceId, rule.ruleId, request.emailIds, call);
  const past = await deps.tests.pastAnswers(workspaceId, deps.clock.date(), call);
  const spend = createSpend(deps.prices);
  // One after the other: an email may have megabytes.
  for (const email of found) {
    call.signal.throwIfAborted();
    const mail = await mailTextOf(deps, workspaceId, email);
    spend.add(deps.model.estimate({ rules: [rule], mail }, past));
  }
  const emails = found.map(({ _id: emailId }) => {
    const { verdict, decidedAt } = decisions.get(emailId) ?? {};
    return { emailId, decided: verdict && toMessageVerdict(verdict), decidedAt: decidedAt?.toISOString() };
  });
  return { estimate: spend.total(), emails };
}

async function test(deps: RuleTestDeps, request: RuleTestRequest, call: Call) {
  const { clock, modelUse, tests } = deps;
  const { workspaceId, signal } = call;
  const rule = await ruleOf(deps, request, workspaceId);
  if (await deps.isLiveMailDue())
    throw new ApiError('RATE_LIMIT_EXCEEDED', { message: 'New mail is classified first; try again in a moment.' });
  const tested = await tests.testedOn(workspaceId, clock.date(), call);
  if (tested + request.emailIds.length > MOST_TESTED_A_DAY) refuseOfDay(clock.now());
  const found = await emailsOf(deps, request, workspaceId);
  modelUse.addTested(workspaceId, found.length);
  const counted = modelUse.of(workspaceId, request.ruleId === undefined ? [] : [rule.ruleId]);
  const spend = createSpend(deps.prices);
  const { emails, stopped } = await askAll(deps, found, {
    workspaceId,
    rule,
    signal,
    withinMs: Math.max(1, call.deadline - clock.now() - AROUND_MS),
    spend: (answer) => {
      counted(answer);
      spend.add({ calls: 1, ...answer });
    },
  });
  const shown = emails.map(({ emailId, verdict, failure }) => {
    return { emailId, failure, verdict: verdict && toMessageVerdict(verdict) };
  });
  return { emails: shown, spent: spend.total(), stopped };
}

/** A changed rule has to be there. */
async function ruleOf(
  { rulesOf }: RuleTestDeps,
  { ruleId = NEW_RULE, condition }: RuleTestRequest,
  workspaceId: string,
): Promise<AskedRule> {
  if (ruleId !== NEW_RULE && !(await rulesOf(workspaceId)).some(({ _id }) => _id === ruleId))
    throw new ApiError('RULE_NOT_FOUND');
  return { ruleId, condition };
}

async function emailsOf(
  { mail }: RuleTestDeps,
  { emailIds }: RuleTestRequest,
  workspaceId: string,
): Promise<AskedEmail[]> {
  const found = await Promise.all([...new Set(emailIds)].map((emailId) => mail.find(workspaceId, emailId)));
  return found.filter((email) => email !== null);
}

function refuseOfDay(now: number): never {
  const resetAt = new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString();
  const message = `Tests of rules ask about at most ${MOST_TESTED_A_DAY} emails of a workspace a day. The next day begins at ${resetAt}.`;
  throw new ApiError('QUOTA_EXCEEDED', { message, details: { resetAt } });
}

function createSpend(prices: Prices) {
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const add = ({ calls, inputTokens, outputTokens }: ModelEstimate): void => {
    sum.calls += calls;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  };
  return { add, total: (): ModelSpend => ({ ...sum, cost: costOf(sum, prices) }) };
}

const toMessageVerdict = ({ applies, confidence, reason }: Omit<Verdict, 'ruleId'>): TestVerdict => {
  return { applies, confidence, reason };
};
