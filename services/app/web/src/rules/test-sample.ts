import type {
  EmailBeforeAnswer,
  ExpectedVerdictAnswer,
  ListOf,
  MailboxAnswer,
  ModelSpendAnswer,
  PageOf,
  RuleTestEmailAnswer,
  RuleTestEstimateAnswer,
} from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { call } from '../api/call.ts';

/** The newest emails of one inbox or of all, and of those that a search finds. */
export interface Sample {
  /** Empty for all. */
  mailboxId: string;
  search: string;
  ofEach: number;
}

/** The rule as it would be saved; a new one has no id. */
export interface TestedRule {
  ruleId?: string;
  condition: string;
}

export interface PlannedTest {
  emails: (RuleTestEmailAnswer & Pick<EmailBeforeAnswer, 'before'>)[];
  estimate: ModelSpendAnswer;
}

/** The regression set of a rule. */
type ExpectedVerdicts = readonly ExpectedVerdictAnswer[];

const { emails: most, estimatedAtOnce } = bounds.ruleTest;
export const NOTHING_SPENT: ModelSpendAnswer = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

export const plus = (one: ModelSpendAnswer, other: ModelSpendAnswer): ModelSpendAnswer => ({
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cost: one.cost + other.cost,
});

/** Reads the emails and what the stored rule decided about them, those of the regression set first. It asks no model. */
export async function planTest(
  path: string,
  rule: TestedRule,
  sample: Sample,
  { mailboxesPath, expected }: { mailboxesPath: string; expected: ExpectedVerdicts },
): Promise<PlannedTest> {
  const found = await sampleOf(path, sample, mailboxesPath);
  const ofSet = expected.flatMap(({ email }) => email ?? []);
  const all = [...new Map([...ofSet, ...found].map((email) => [email.emailId, email])).values()].slice(0, most.max);
  const plan: PlannedTest = { emails: [], estimate: NOTHING_SPENT };
  for (let from = 0; from < all.length; from += estimatedAtOnce) {
    const some = all.slice(from, from + estimatedAtOnce);
    const body = { ...rule, emailIds: some.map(({ emailId }) => emailId) };
    const { items, estimate } = await call<RuleTestEstimateAnswer>('POST', `${path}/estimate`, { body });
    const before = new Map(items.map((item) => [item.emailId, item.before]));
    plan.estimate = plus(plan.estimate, estimate);
    plan.emails.push(...some.map((email) => ({ ...email, before: before.get(email.emailId) ?? null })));
  }
  return plan;
}

async function sampleOf(
  path: string,
  { mailboxId, search, ofEach }: Sample,
  mailboxesPath: string,
): Promise<RuleTestEmailAnswer[]> {
  const mailboxIds = mailboxId === '' ? await connectedNow(mailboxesPath) : [mailboxId];
  const found: RuleTestEmailAnswer[] = [];
  for (const id of mailboxIds) {
    const wanted = Math.min(ofEach, most.max - found.length);
    if (wanted > 0) found.push(...(await newestOf(path, { mailboxId: id, search, ofEach: wanted })));
  }
  return found;
}

/** The list that the page shows may be older than a mailbox, or not be there yet. */
async function connectedNow(path: string): Promise<string[]> {
  const { items } = await call<ListOf<MailboxAnswer>>('GET', path);
  return items.map(({ id }) => id);
}

async function newestOf(path: string, { mailboxId, search, ofEach }: Sample): Promise<RuleTestEmailAnswer[]> {
  const found: RuleTestEmailAnswer[] = [];
  for (let cursor: string | null = ''; cursor !== null && found.length < ofEach;) {
    const limit = Math.min(bounds.page.most, ofEach - found.length);
    const query = new URLSearchParams({
      mailboxId,
      limit: String(limit),
      ...(search !== '' && { search }),
      ...(cursor !== '' && { cursor }),
    });
    const page: PageOf<RuleTestEmailAnswer> = await call('GET', `${path}/emails?${query}`);
    found.push(...page.items);
    cursor = page.hasMore ? page.nextCursor : null;
  }
  return found;
}
