import { Button } from '@mantine/core';
import type { CompiledConditionAnswer, ConditionPatternAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useIsAdmin } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { say } from '../parts/toasts.tsx';
import { Moment } from '../time/moment.tsx';
import { patternFacts, patternSender, patternSubject } from './pattern-words.ts';

const COLUMNS: readonly Column<ConditionPatternAnswer>[] = [
  {
    name: 'Pattern',
    cell: (pattern) => (
      <span className="two">
        <strong>{patternSender(pattern)}</strong>
        <span>{patternSubject(pattern)}</span>
        <span className="soft">{patternFacts(pattern)}</span>
      </span>
    ),
  },
  {
    name: 'State',
    isTight: true,
    cell: ({ isDropped, applies }) => {
      if (isDropped) return <Badge tone="warn">Dropped: the model disagreed</Badge>;
      return <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>;
    },
  },
  { name: 'Confidence', isAtEnd: true, isTight: true, cell: ({ confidence }) => `${confidence}%` },
  { name: 'Answered', isAtEnd: true, isTight: true, cell: ({ answered }) => answered.toLocaleString('en') },
  { name: 'Last used', isTight: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

/** The patterns that answer for a rule in place of the model. */
export function CompiledCondition({ rulePath }: { rulePath: string }) {
  const isAdmin = useIsAdmin();
  const path = `${rulePath}/compiled-condition`;
  const answer = useAnswer<CompiledConditionAnswer>(path);
  const isCompiled = answer.data ? answer.data.since !== null : undefined;
  const switching = useChange((next: boolean) => call('PUT', path, { body: { isCompiled: next } }), [path]);
  const change = () =>
    switching.mutate(!isCompiled, {
      onSuccess: () => say(isCompiled ? 'The model is asked about each email' : 'Patterns are learned from now on'),
    });
  const toggle = isAdmin && isCompiled !== undefined && (
    <Button variant="default" loading={switching.isPending} onClick={change}>
      {isCompiled ? 'Ask the model about each email' : 'Let patterns answer'}
    </Button>
  );
  return (
    <Section
      title="Compiled condition"
      intro="Automatic mail of which the model has always said the same is answered by a pattern, without a call."
      actions={toggle}
    >
      <FaultNote error={switching.error} />
      <Answer of={answer} rows={1}>
        {({ since, patterns }) => <Patterns since={since} patterns={patterns} />}
      </Answer>
    </Section>
  );
}

function Patterns({ since, patterns }: CompiledConditionAnswer) {
  if (since === null) return <p className="soft">Off: the model is asked about each email.</p>;
  return (
    <>
      <p className="soft">
        On since <Moment at={since} />. The model checks one in twenty emails of each pattern.
      </p>
      {patterns.length === 0 ? (
        <EmptyState title="No patterns yet" text="One is learned from six different emails with the same verdict." />
      ) : (
        <DataTable
          label="Patterns"
          columns={COLUMNS}
          items={patterns}
          keyOf={({ id }) => id}
          isQuiet={({ isDropped }) => isDropped}
        />
      )}
    </>
  );
}
