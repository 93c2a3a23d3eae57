import { Button } from '@mantine/core';
import type { KeyAnswer, KeyListAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { useTextFilter } from '../parts/text-filter.tsx';
import { useUrlState } from '../url/url-state.ts';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';

const LIVE_MS = 30_000;

export function KeysPage() {
  const path = useWorkspacePath()('/keys');
  const answer = useAnswer<KeyListAnswer>(path, { everyMs: LIVE_MS });
  const [{ dialog }, change] = useUrlState(['dialog']);
  const deferred = useDeferred();
  const [listed, filter] = useTextFilter('Filter keys', answer.data?.items ?? [], ({ id, name }) => [name, id]);
  const hasKeys = answer.data !== undefined && answer.data.items.length > 0;
  const create = (
    <Button data-primary leftSection={<Icon name="plus" size={14} />} onClick={() => change({ dialog: 'create' })}>
      Create key
    </Button>
  );
  return (
    <Page
      title="Keys"
      intro="A key opens every mailbox of the workspace to a program, within its scopes."
      actions={hasKeys && create}
    >
      <Answer of={answer}>
        {({ items, activeCount, cap }) =>
          items.length === 0 ? (
            <EmptyState
              title="No keys yet"
              text="Programs call the API with a key. Make the first one."
              action={create}
            />
          ) : (
            <>
              <p className="count">
                {activeCount} of {cap} active keys of the plan
              </p>
              {filter}
              <KeyTable keys={listed.map((key) => (deferred.has(key.id) ? asRevoked(key) : key))} path={path} />
            </>
          )
        }
      </Answer>
      <CreateKey isOpen={dialog === 'create'} close={() => change({ dialog: null })} path={path} />
    </Page>
  );
}

const asRevoked = (key: KeyAnswer): KeyAnswer => ({ ...key, status: 'revoked' });
