import { useState, type FormEvent } from 'react';
import { Button, Switch, TextInput } from '@mantine/core';
import type { AiLabelRuleAnswer, ListOf, MailboxAnswer, ModelSpendAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { FaultNote } from '../parts/fault-note.tsx';
import { money } from '../parts/money.ts';
import { SelectField } from '../parts/select-field.tsx';
import { type Expectations, useExpectedVerdicts } from './expected-verdicts.tsx';
import { isChanged, isUnexpected, RuleTestTable } from './rule-test-table.tsx';
import type { Sample } from './test-sample.ts';
import { type RuleTestState, testedRows, useRuleTest } from './use-rule-test.ts';

interface Props {
  /** The stored rule; null for a new one. */
  rule: AiLabelRuleAnswer | null;
  /** The condition as it would be saved. */
  condition: string;
  back(): void;
}

/** Holds the condition against stored emails before it is saved. Nothing is labelled, hidden, drafted or sent. */
export function RuleTest({ rule, condition, back }: Props) {
  const inWorkspace = useWorkspacePath();
  const mailboxesPath = inWorkspace('/mailboxes');
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(mailboxesPath).data?.items ?? [];
  const set = useExpectedVerdicts(rule && inWorkspace(`/ai-label-rules/${rule.id}`));
  const tested = { condition, ...(rule && { ruleId: rule.id }) };
  const { state, estimate, begin, stop } = useRuleTest(inWorkspace('/rule-tests'), tested, {
    mailboxesPath,
    expected: set.expected,
  });
  return (
    <div className="stack">
      <p>{condition}</p>
      <SampleForm
        mailboxes={mailboxes}
        isBusy={isBusy(state) || !set.isThere}
        submit={(sample) => void estimate(sample)}
      />
      <FaultNote error={state.error ?? set.error} />
      <Progress state={state} set={set} begin={() => void begin()} stop={stop} />
      <Rows state={state} changedAt={rule?.updatedAt ?? null} expectations={rule && set} />
      <div className="row-end">
        <Button variant="default" onClick={back}>
          Back to the rule
        </Button>
      </div>
    </div>
  );
}

const isBusy = ({ step }: RuleTestState) => step === 'estimating' || step === 'running';

interface SampleFormProps {
  mailboxes: readonly MailboxAnswer[];
  isBusy: boolean;
  submit(sample: Sample): void;
}

function SampleForm({ mailboxes, isBusy: isDisabled, submit }: SampleFormProps) {
  const { min, max, usual } = bounds.ruleTest.emails;
  const [ofEach, setOfEach] = useState(String(usual));
  const [mailboxId, setMailboxId] = useState('');
  const [search, setSearch] = useState('');
  const options = [{ value: '', label: 'All' }, ...mailboxes.map(({ id, email }) => ({ value: id, label: email }))];
  const choose = (event: FormEvent) => {
    event.preventDefault();
    submit({ ofEach: Number(ofEach), mailboxId, search: search.trim() });
  };
  return (
    <form className="stack" onSubmit={choose}>
      <div className="row">
        <TextInput
          label="Newest emails of each inbox"
          type="number"
          min={min}
          max={max}
          required
          withAsterisk={false}
          value={ofEach}
          onChange={(event) => setOfEach(event.currentTarget.value)}
        />
        <SelectField label="Mailbox" value={mailboxId} options={options} change={setMailboxId} />
        <TextInput
          label="Search"
          minLength={bounds.search.min}
          maxLength={bounds.search.max}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <p className="soft">
        A test asks about at most {max.toLocaleString('en')} emails. Nothing is labelled, hidden, drafted or sent.
      </p>
      <div className="row">
        <Button type="submit" variant="default" disabled={isDisabled}>
          Estimate
        </Button>
      </div>
    </form>
  );
}

interface ProgressProps {
  state: RuleTestState;
  set: Expectations;
  begin(): void;
  stop(): void;
}

function Progress({ state, set, begin, stop }: ProgressProps) {
  const { step, rows, estimate, spent, note } = state;
  if (step === 'estimating') return <p role="status">Reading the emails…</p>;
  if (!estimate) return null;
  if (rows.length === 0) return <p role="status">No email was found.</p>;
  const done = testedRows(rows).length;
  const changed = rows.filter(isChanged).length;
  const unexpected = rows.filter((row) => isUnexpected(row, set.of(row.emailId))).length;
  return (
    <div className="stack">
      <p>Estimate: {inWords(estimate)}.</p>
      {done > 0 && <p>So far: {inWords(spent)}.</p>}
      <span className="row" role="status">
        <progress aria-label="Tested emails" max={rows.length} value={done} />
        {done.toLocaleString('en')} of {rows.length.toLocaleString('en')} emails tested, {changed} changed
        {set.expected.length > 0 && `, ${unexpected} of ${set.expected.length} not as expected`}
      </span>
      {note && <p role="alert">{note}</p>}
      <div className="row">
        {step === 'running' && (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        )}
        {step !== 'running' && done < rows.length && (
          <Button onClick={begin}>{done === 0 ? 'Run the test' : 'Continue'}</Button>
        )}
      </div>
    </div>
  );
}

function inWords({ calls, inputTokens, outputTokens, cost }: ModelSpendAnswer): string {
  const tokens = (inputTokens + outputTokens).toLocaleString('en');
  const price = cost > 0 ? `, cost ${money(cost)}` : '';
  return `${calls.toLocaleString('en')} model calls, ${tokens} tokens${price}`;
}

interface RowsProps {
  state: RuleTestState;
  changedAt: string | null;
  expectations: Expectations | null;
}

function Rows({ state: { rows }, changedAt, expectations }: RowsProps) {
  const [isChangedOnly, setChangedOnly] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <Switch
        label="Show changed emails only"
        checked={isChangedOnly}
        onChange={(event) => setChangedOnly(event.currentTarget.checked)}
      />
      <RuleTestTable
        rows={isChangedOnly ? rows.filter(isChanged) : rows}
        changedAt={changedAt}
        expectations={expectations}
      />
    </>
  );
}
