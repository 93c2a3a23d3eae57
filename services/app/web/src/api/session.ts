import { createContext, useContext } from 'react';
import type { PersonAnswer, PresentAnswer, SessionAnswer } from '@postroom/app/answers';
import type { Feature } from '@postroom/contract/lists';
import { isAtLeast, type Role } from '@postroom/contract/roles';
import { queryClient, SESSION_PATH, useAnswer } from './use-answer.ts';

export const usePresentSession = () => useAnswer<PresentAnswer>(SESSION_PATH);

/** Everything that another person saw is forgotten. */
export async function forgetAnswers(): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey: [path] }) => path !== SESSION_PATH });
  await queryClient.invalidateQueries({ queryKey: [SESSION_PATH] });
}

interface Present {
  /** Of the REST API, for commands to copy; null where nobody told it. */
  apiUrl: string | null;
  person: PersonAnswer;
  session: SessionAnswer | null;
  features: readonly Feature[];
  workspace: { id: string; name: string; role: Role };
  choose(workspaceId: string): void;
}

export const PresentContext = createContext<Present | null>(null);

/** The person and the workspace of a page; pages are shown to nobody else. */
export function usePresent(): Present {
  const present = useContext(PresentContext);
  if (!present) throw new Error('a page stands outside of a session');
  return present;
}

/** The paths of the chosen workspace. */
export function useWorkspacePath(): (path: string) => string {
  const { workspace } = usePresent();
  return (path) => `/workspaces/${workspace.id}${path}`;
}

export function useIsAdmin(): boolean {
  return isAtLeast(usePresent().workspace.role, 'admin');
}
