import { useMemo } from 'react';
import { Button } from '@mantine/core';
import type { AiLabelRuleAnswer, ListOf, UsageAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Section } from '../parts/page.tsx';
import { money } from '../parts/money.ts';
import { PlotAndTable } from './plot-and-table.tsx';

/** One call asks about all rules of an email: each rule has its share of the tokens and of the cost. */
export function ModelUse({ usage, days }: { usage: UsageAnswer; days: readonly string[] }) {
  const rules = useAnswer<ListOf<AiLabelRuleAnswer>>(useWorkspacePath()('/ai-label-rules')).data?.items;
  const calls = useMemo(
    () => usage.model.map(({ day, calls: value }) => ({ day, name: 'All rules', value })),
    [usage.model],
  );
  const shares = useMemo(() => {
    const nameOf = (ruleId: string) => rules?.find(({ id }) => id === ruleId)?.label.name ?? ruleId;
    return usage.modelByRule.map((use) => ({ ...use, name: nameOf(use.ruleId) }));
  }, [usage.modelByRule, rules]);
  const tokens = useMemo(
    () => shares.map(({ day, name, inputTokens, outputTokens }) => ({ day, name, value: inputTokens + outputTokens })),
    [shares],
  );
  const costs = useMemo(() => shares.map(({ day, name, cost }) => ({ day, name, value: cost })), [shares]);
  const isAdmin = useIsAdmin();
  if (usage.model.length + shares.length === 0) {
    return (
      <Section title="Model">
        <EmptyState
          title="No model calls in these days"
          text="A model reads each email that comes in, once there is an AI rule."
          action={
            isAdmin && (
              <Button component={Link} href="/rules">
                Go to Rules
              </Button>
            )
          }
        />
      </Section>
    );
  }
  const hasPrice = usage.model.some(({ cost }) => cost > 0);
  return (
    <>
      <PlotAndTable title="Model calls" what="Asked about" unit="Calls" days={days} points={calls} />
      <PlotAndTable title="Model tokens" what="Rule" unit="Tokens" days={days} points={tokens} />
      {hasPrice && (
        <PlotAndTable title="Model cost" what="Rule" unit="Cost" days={days} points={costs} format={money} />
      )}
    </>
  );
}
