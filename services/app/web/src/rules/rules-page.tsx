import { Page } from '../parts/page.tsx';
import { AiRules } from './ai-rules.tsx';
import { Backfills } from './backfills.tsx';
import { Forwards } from './forwards.tsx';
import { InboxFilters } from './inbox-filters.tsx';

export function RulesPage() {
  return (
    <Page
      title="Rules"
      intro="What happens to mail by itself, in this order: labels, then forwards; filters hide what is left."
    >
      <AiRules />
      <Backfills />
      <Forwards />
      <InboxFilters />
    </Page>
  );
}
