import type { ExpectedVerdictAnswer, ListOf } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { SelectField } from '../parts/select-field.tsx';

type Choice = '' | 'applies' | 'not';

const OPTIONS: readonly { value: Choice; label: string }[] = [
  { value: '', label: 'Nothing' },
  { value: 'applies', label: 'Applies' },
  { value: 'not', label: 'Does not apply' },
];
const NOTHING: readonly ExpectedVerdictAnswer[] = [];

/** The regression set of a rule; a new rule has none until it is saved. */
export function useExpectedVerdicts(rulePath: string | null) {
  const path = rulePath && `${rulePath}/expected-verdicts`;
  const answer = useAnswer<ListOf<ExpectedVerdictAnswer>>(path);
  const changing = useChange(
    ({ emailId, choice }: { emailId: string; choice: Choice }) =>
      choice === ''
        ? call('DELETE', `${path}/${emailId}`)
        : call('PUT', `${path}/${emailId}`, { body: { applies: choice === 'applies' } }),
    path === null ? [] : [path],
  );
  const expected = answer.data?.items ?? NOTHING;
  return {
    expected,
    /** False while it is not known. */
    isThere: path === null || answer.data !== undefined,
    error: answer.error ?? changing.error,
    /** Undefined where nothing is expected. */
    of: (emailId: string) => expected.find((one) => one.emailId === emailId)?.applies,
    set: (emailId: string, choice: Choice) => changing.mutate({ emailId, choice }),
  };
}

export type Expectations = ReturnType<typeof useExpectedVerdicts>;

interface Props {
  emailId: string;
  subject: string;
  of: Expectations;
}

export function ExpectedVerdict({ emailId, subject, of }: Props) {
  const expected = of.of(emailId);
  const value = expected === undefined ? '' : expected ? 'applies' : 'not';
  return (
    <SelectField
      label={`Expected of ${subject}`}
      isLabelHidden
      value={value}
      options={OPTIONS}
      change={(choice) => of.set(emailId, choice)}
    />
  );
}
