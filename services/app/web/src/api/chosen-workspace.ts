import { useState } from 'react';
import type { PersonAnswer } from '@postroom/app/answers';

const STORED_AS = 'postroom.workspace';

/** The workspace that was chosen last in this browser, while the person is in it; else their first. */
export function useChosenWorkspace(person: PersonAnswer | null | undefined) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORED_AS));
  const memberships = person?.memberships ?? [];
  const membership = memberships.find(({ workspaceId }) => workspaceId === chosen) ?? memberships[0];
  const choose = (workspaceId: string) => {
    localStorage.setItem(STORED_AS, workspaceId);
    setChosen(workspaceId);
  };
  return { membership, choose };
}
