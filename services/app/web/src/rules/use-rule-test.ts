import { useEffect, useRef, useState } from 'react';
import type { ModelSpendAnswer, RuleTestAnswer, TestedEmailAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { call } from '../api/call.ts';
import { AppFault } from '../api/fault.ts';
import { NOTHING_SPENT, planTest, plus, type PlannedTest, type Sample, type TestedRule } from './test-sample.ts';

export type TestedRow = PlannedTest['emails'][number] & Partial<Omit<TestedEmailAnswer, 'emailId'>>;

export interface RuleTestState {
  step: 'chosen' | 'estimating' | 'estimated' | 'running';
  rows: readonly TestedRow[];
  estimate: ModelSpendAnswer | null;
  spent: ModelSpendAnswer;
  /** Why nothing moves, or why it has ended early. */
  note: string | null;
  error: unknown;
}

const BEGIN: RuleTestState = {
  step: 'chosen',
  rows: [],
  estimate: null,
  spent: NOTHING_SPENT,
  note: null,
  error: null,
};
const AGAIN_AFTER_MS = 1_000;
const isTested = ({ after, failure }: TestedRow) => Boolean(after ?? failure);
export const testedRows = (rows: readonly TestedRow[]) => rows.filter(isTested);

/** A test of a rule, a few emails at a time. It ends with its page: nothing of it is stored. */
export function useRuleTest(path: string, rule: TestedRule, among: Parameters<typeof planTest>[3]) {
  const [state, setState] = useState(BEGIN);
  const latest = useRef(state);
  const run = useRef({ isStopped: true });
  const set = (changes: Partial<RuleTestState>) => {
    latest.current = { ...latest.current, ...changes };
    setState(latest.current);
  };
  const stop = () => void (run.current.isStopped = true);
  useEffect(() => stop, []);

  const estimate = async (sample: Sample) => {
    set({ ...BEGIN, step: 'estimating' });
    try {
      const plan = await planTest(path, rule, sample, among);
      set({ step: 'estimated', rows: plan.emails, estimate: plan.estimate });
    } catch (error) {
      set({ step: 'chosen', error });
    }
  };
  const begin = async () => {
    const own = { isStopped: false };
    run.current = own;
    set({ step: 'running', note: null, error: null });
    try {
      while (!own.isStopped && (await askNext({ path, rule, own, set, latest: () => latest.current })));
      set({ step: 'estimated' });
    } catch (error) {
      set({ step: 'estimated', note: null, error });
    }
  };
  return { state, estimate, begin, stop };
}

interface Asking {
  path: string;
  rule: TestedRule;
  own: { isStopped: boolean };
  latest(): RuleTestState;
  set(changes: Partial<RuleTestState>): void;
}

/** Whether there may be more to ask about. */
async function askNext({ path, rule, own, latest, set }: Asking): Promise<boolean> {
  const some = latest()
    .rows.filter((row) => !isTested(row))
    .slice(0, bounds.ruleTest.askedAtOnce);
  if (some.length === 0) return false;
  const body = { ...rule, emailIds: some.map(({ emailId }) => emailId) };
  const ask = () => call<RuleTestAnswer>('POST', path, { body });
  const answer = await patiently(ask, own, (note) => set({ note }));
  if (!answer) return false;
  const { rows, spent } = latest();
  set({ rows: withAnswer(rows, body.emailIds, answer), spent: plus(spent, answer.spent), note: answer.stopped });
  return answer.stopped === null;
}

/** New mail goes first, and so do the tests of others. */
async function patiently(
  ask: () => Promise<RuleTestAnswer>,
  own: { isStopped: boolean },
  tell: (note: string) => void,
): Promise<RuleTestAnswer | null> {
  while (!own.isStopped) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppFault) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
      tell(error.message);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
  return null;
}

const GONE = 'This email is no longer stored.';

function withAnswer(
  rows: readonly TestedRow[],
  asked: readonly string[],
  { items }: RuleTestAnswer,
): readonly TestedRow[] {
  const byId = new Map(items.map((item) => [item.emailId, item]));
  return rows.map((row) => {
    if (!asked.includes(row.emailId)) return row;
    const { after, failure } = byId.get(row.emailId) ?? { after: null, failure: GONE };
    return { ...row, after, failure };
  });
}
