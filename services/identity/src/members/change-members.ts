import type { MemberPart } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { MemberStore } from './member-store.ts';

type Members = readonly MemberPart[];

/** Each attempt that fails means that another change succeeded, and the next one sees it. */
export async function changeMembers(
  workspaceId: string,
  change: (members: Members) => Members,
  store: Pick<MemberStore, 'load' | 'replace'>,
  budget: TimeBudget,
): Promise<Members> {
  for (;;) {
    const { version, members } = await store.load(workspaceId, budget);
    const changed = change(members);
    if (changed === members) return members;
    if (await store.replace(workspaceId, version, changed, budget)) return changed;
  }
}
