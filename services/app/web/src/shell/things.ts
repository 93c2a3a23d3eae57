import type { AiLabelRuleAnswer, KeyListAnswer, ListOf, MailboxAnswer, ViewAnswer } from '@postroom/app/answers';
import { useIsAdmin, usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { withQuery } from '../url/query.ts';
import type { PaletteEntry } from './commands.ts';

/** The things of the workspace by their names, and the other workspaces of the person. */
export function useThings(): PaletteEntry[] {
  const inWorkspace = useWorkspacePath();
  const isAdmin = useIsAdmin();
  const { person, workspace, choose } = usePresent();
  const mailboxes = useAnswer<ListOf<MailboxAnswer>>(inWorkspace('/mailboxes')).data?.items ?? [];
  const views = useAnswer<ListOf<ViewAnswer>>(inWorkspace('/views')).data?.items ?? [];
  const rules = useAnswer<ListOf<AiLabelRuleAnswer>>(inWorkspace('/ai-label-rules')).data?.items ?? [];
  const keys = useAnswer<KeyListAnswer>(isAdmin ? inWorkspace('/keys') : null).data?.items ?? [];
  const others = person.memberships.filter(({ workspaceId }) => workspaceId !== workspace.id);
  return [
    ...others.map(({ workspaceId: id, workspaceName }) => ({
      id,
      name: workspaceName,
      icon: 'home' as const,
      hint: 'Switch to this workspace',
      run: () => choose(id),
    })),
    ...mailboxes.map(({ id, email }) => ({
      ...opening(id, email, 'Mailbox', withQuery('/mailboxes', { q: email })),
      icon: 'mailbox' as const,
    })),
    ...views.map(({ id, name }) => ({
      ...opening(id, name, 'View', isAdmin ? `/views/${id}` : withQuery('/views', { q: name })),
      icon: 'views' as const,
    })),
    ...rules.map(({ id, label }) => ({
      ...opening(id, label.name, 'AI rule', `/rules/${id}`),
      icon: 'rules' as const,
    })),
    ...keys.map(({ id, name }) => ({
      ...opening(id, name, 'Key', withQuery('/keys', { q: id })),
      icon: 'key' as const,
    })),
  ];
}

const opening = (id: string, name: string, hint: string, path: string) => ({
  id,
  name,
  hint,
  run: (go: (path: string) => void) => go(path),
});
