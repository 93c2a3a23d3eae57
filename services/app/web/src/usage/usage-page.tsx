import { useMemo } from 'react';
import { Button } from '@mantine/core';
import type { UsageAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { DateRange } from '../parts/date-range.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page, Section } from '../parts/page.tsx';
import { dayOf, daysBefore } from '../time/relative.ts';
import { withQuery } from '../url/query.ts';
import { useUrlState } from '../url/url-state.ts';
import { Burn } from './burn.tsx';
import { ModelUse } from './model-use.tsx';
import { PlotAndTable } from './plot-and-table.tsx';
import { daysBetween } from './series.ts';

const USUAL_DAYS = 30;
const MOST_DAYS = 92;
const LIVE_MS = 60_000;

export function UsagePage() {
  const [asked, change] = useUrlState(['from', 'to']);
  const today = dayOf(new Date());
  const to = asked.to ?? today;
  const from = asked.from ?? dayOf(daysBefore(new Date(`${to}T00:00:00Z`), USUAL_DAYS - 1));
  const path = useWorkspacePath()(withQuery('/usage', { from, to }));
  const answer = useAnswer<UsageAnswer>(path, { everyMs: LIVE_MS, keepsPrevious: true });
  return (
    <Page
      title="Usage"
      intro={`Calls of the API and of the model. Days are those of UTC; ${MOST_DAYS} at most.`}
      actions={<DateRange from={from} to={to} change={change} latest={today} />}
    >
      <Answer of={answer} rows={8}>
        {(usage) => <Plots usage={usage} />}
      </Answer>
    </Page>
  );
}

function Plots({ usage }: { usage: UsageAnswer }) {
  const days = useMemo(() => daysBetween(usage.from, usage.to), [usage.from, usage.to]);
  const byKey = useMemo(
    () => usage.byKey.map(({ day, keyName, keyId, calls }) => ({ day, name: keyName || keyId, value: calls })),
    [usage.byKey],
  );
  const byEndpoint = useMemo(
    () => usage.byEndpoint.map(({ day, endpoint, calls }) => ({ day, name: endpoint, value: calls })),
    [usage.byEndpoint],
  );
  return (
    <>
      <Burn limits={usage.limits} days={days} byKey={byKey} />
      {byKey.length + byEndpoint.length === 0 ? (
        <NoCalls />
      ) : (
        <>
          <PlotAndTable title="By key" what="Key" unit="Calls" days={days} points={byKey} />
          <PlotAndTable title="By endpoint" what="Endpoint" unit="Calls" days={days} points={byEndpoint} />
        </>
      )}
      <ModelUse usage={usage} days={days} />
    </>
  );
}

function NoCalls() {
  const isAdmin = useIsAdmin();
  return (
    <Section title="Calls">
      <EmptyState
        title="No calls in these days"
        text="Programs call the API with a key. Calls are counted here within a minute."
        action={
          isAdmin && (
            <Button component={Link} href="/keys">
              Go to Keys
            </Button>
          )
        }
      />
    </Section>
  );
}
