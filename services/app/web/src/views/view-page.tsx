import { useState } from 'react';
import type { ViewAnswer } from '@postroom/app/answers';
import { Redirect, useLocation, useParams } from 'wouter';
import { call } from '../api/call.ts';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer, useChange } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { say } from '../parts/toasts.tsx';
import { ViewEditor, type ViewBody } from './view-editor.tsx';

/** The editor of a view, under an address of its own. */
export function ViewPage() {
  const { viewId } = useParams<{ viewId: string }>();
  const isAdmin = useIsAdmin();
  const path = useWorkspacePath()('/views');
  const isNew = viewId === 'new';
  const [, go] = useLocation();
  const [openedAt] = useState(viewId);
  const answer = useAnswer<{ view: ViewAnswer }>(isNew ? null : `${path}/${openedAt}`);
  const saving = useChange(
    (body: ViewBody) =>
      isNew
        ? call<{ view: ViewAnswer }>('POST', path, { body })
        : call<{ view: ViewAnswer }>('PATCH', `${path}/${viewId}`, { body }),
    [path],
  );
  if (!isAdmin) return <Redirect to="/views" />;

  const save = (body: ViewBody) =>
    saving.mutate(body, {
      onSuccess: ({ view }) => {
        say(`View "${view.name}" saved`);
        go('/views');
      },
    });
  const editor = (view: ViewAnswer | null) => (
    <ViewEditor view={view} save={save} isBusy={saving.isPending} fault={saving.error} />
  );
  return (
    <Page title={isNew ? 'New view' : 'Edit view'}>
      {isNew ? editor(null) : <Answer of={answer}>{({ view }) => editor(view)}</Answer>}
    </Page>
  );
}
