import type { DraftAnswer } from '@postroom/app/answers';
import { Link, Redirect, useParams } from 'wouter';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { DraftEditor } from './draft-editor.tsx';

/** The text of a draft under an address of its own, so that no change of the list takes an edit away. */
export function EditDraftPage() {
  const { draftId } = useParams<{ draftId: string }>();
  const isAdmin = useIsAdmin();
  const path = useWorkspacePath()(`/drafts/${encodeURIComponent(draftId)}`);
  const answer = useAnswer<{ draft: DraftAnswer }>(path);
  if (!isAdmin) return <Redirect to="/drafts" />;
  return (
    <Page title="Edit draft" intro={<Link href="/drafts">All drafts</Link>}>
      <Answer of={answer} rows={6}>
        {({ draft }) => <DraftEditor key={draftId} opened={draft} />}
      </Answer>
    </Page>
  );
}
