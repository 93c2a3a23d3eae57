import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { startTimer } from '@postroom/runtime/timer';
import { mailTextOf, type MailTextDeps } from '../classify/classify.ts';
import type { AskedEmail, ClassifiedEmailStore } from '../classify/mail-store.ts';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import type { AskedRule, Model, Spend, Verdict } from '../model/model.ts';

export interface AskDeps extends MailTextDeps {
  mail: Pick<ClassifiedEmailStore, 'find' | 'body'>;
  model: Pick<Model, 'judge'>;
  clock: Clock;
  log: Log;
}

interface TestAsking {
  workspaceId: string;
  rule: AskedRule;
  spend: Spend;
  signal: AbortSignal;
  /** The time that the model has for all emails. */
  withinMs: number;
}

/** The outcome of one email. Without a verdict and a failure the model was not available for it. */
interface Tested {
  emailId: string;
  verdict?: Verdict | undefined;
  failure?: string;
}

interface TestedAll {
  emails: Tested[];
  stopped: string | undefined;
}

const STOPPED = 'The model does not answer now. Continue in a moment: live mail waits for it, too.';
const BUSY = 'The model has too much to do now. Continue in a moment.';
const TOO_SLOW = 'The model did not answer in time.';
const FAILED = 'The model failed on this email.';

/** Asks about the emails side by side. A model that answers nothing stops the test, and one email that fails does not. */
export async function askAll(deps: AskDeps, emails: readonly AskedEmail[], asking: TestAsking): Promise<TestedAll> {
  const tooSlow = new AbortController();
  const cancel = startTimer(deps.clock, asking.withinMs, () => tooSlow.abort());
  const outcomes = await Promise.allSettled(
    emails.map((email) =>
      abortedByAny([asking.signal, tooSlow.signal], (signal) => askOne(deps, email, { ...asking, signal })),
    ),
  ).finally(cancel);
  asking.signal.throwIfAborted();
  const tested = outcomes.map((outcome, position): Tested => {
    const { _id: emailId } = emails[position] as AskedEmail;
    if (outcome.status === 'fulfilled') return { emailId, verdict: outcome.value };
    if (stopOf(outcome.reason)) return { emailId };
    if (tooSlow.signal.aborted) return { emailId, failure: TOO_SLOW };
    deps.log.warn({ err: outcome.reason as unknown, emailId }, 'a test of a rule failed on an email; the test goes on');
    return { emailId, failure: FAILED };
  });
  const [stopped] = outcomes.flatMap((one) => (one.status === 'rejected' ? (stopOf(one.reason) ?? []) : []));
  return { emails: tested, stopped };
}

async function askOne(
  deps: AskDeps,
  email: AskedEmail,
  { workspaceId, rule, signal, spend }: TestAsking,
): Promise<Verdict | undefined> {
  const question = { rules: [rule], mail: await mailTextOf(deps, workspaceId, email) };
  return (await deps.model.judge(question, signal, spend)).verdicts[0];
}

function stopOf(error: unknown): string | undefined {
  if (error instanceof ModelUnavailable) return STOPPED;
  return error instanceof ModelBusy ? BUSY : undefined;
}
