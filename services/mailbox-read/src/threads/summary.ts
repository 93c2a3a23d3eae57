import type { AddressJson, LabelRefJson } from '@postroom/contract/email-list-item';
import type { ThreadJson } from '@postroom/contract/thread';
import { readListProjection } from '@postroom/mail-store/list-projection';
import type { Call } from '@postroom/rpc/call';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';
import type { FoundThread } from './thread-position.ts';
import type { Member, ThreadListStore } from './thread-list-store.ts';

interface Deps {
  settings: Pick<SettingsStore, 'livingLabels'>;
  threads: Pick<ThreadListStore, 'projections'>;
}

type Thread = Pick<FoundThread, 'mailboxId' | 'threadId' | 'members'>;
type Shown = ReturnType<typeof readListProjection>;

const MOST_PARTICIPANTS = 20;
/** The emails of a page of threads whose people are read: at most so many of each thread, the oldest and the newest. */
const MOST_READ = 1_000;
const EACH = { least: 2, most: 20 };

/** Threads as JSON. A thread whose emails are gone meanwhile is left out. */
export async function summarize(found: readonly Thread[], deps: Deps, call: Call): Promise<Map<Thread, ThreadJson>> {
  const each = Math.max(EACH.least, Math.min(EACH.most, Math.floor(MOST_READ / Math.max(1, found.length))));
  const read = new Map(found.map((thread) => [thread, ends(thread.members, each)]));
  const labelIds = new Set(found.flatMap(({ members }) => members.flatMap((member) => member.labelIds)));
  const [projections, labels] = await Promise.all([
    deps.threads.projections(call.workspaceId, [...read.values()].flat(), call),
    deps.settings.livingLabels(call.workspaceId, [...labelIds], call),
  ]);
  const tags = labels.map(({ _id, name, color, isAiLabel }) => ({ id: _id, name, color, isAiLabel }));
  const json = [...read].flatMap(([thread, ids]) => {
    const shown = ids.flatMap((id) => projections.get(id) ?? []).map(readListProjection);
    return shown.length === 0 ? [] : [[thread, toThreadJson(thread, shown, tags)] as const];
  });
  return new Map(json);
}

/** `shown` are some of its emails, the newest first. */
function toThreadJson(
  { mailboxId, threadId, members }: Thread,
  shown: readonly Shown[],
  tags: readonly LabelRefJson[],
): ThreadJson {
  const labelIds = new Set(members.flatMap((member) => member.labelIds));
  const [newest] = shown;
  return {
    id: threadId,
    mailboxId,
    subject: shown.at(-1)?.subject ?? '',
    participants: participantsOf(shown.toReversed()),
    emailCount: members.length,
    unreadCount: members.filter(({ isRead }) => !isRead).length,
    hasAttachments: members.some(({ hasAttachments }) => hasAttachments),
    isStarred: members.some(({ isStarred }) => isStarred),
    tags: tags.filter(({ id }) => labelIds.has(id)),
    snippet: newest?.snippet ?? '',
    date: newest?.date ?? '',
  };
}

/** The senders come first, in the order of their first emails. */
function participantsOf(oldestFirst: readonly Shown[]): AddressJson[] {
  const all = [...oldestFirst.map(({ from }) => from), ...oldestFirst.flatMap(({ to, cc }) => [...to, ...cc])];
  const people = new Map<string, AddressJson>();
  for (const { email, name } of all) {
    const key = email.toLowerCase();
    const known = people.get(key);
    if (key !== '' && (!known || (known.name === null && name !== null)))
      people.set(key, { email: known?.email ?? email, name });
  }
  return [...people.values()].slice(0, MOST_PARTICIPANTS);
}

/** The ids of the first and the last of them. */
function ends(members: readonly Member[], most: number): string[] {
  const ids = members.map(({ _id }) => _id);
  if (ids.length <= most) return ids;
  const half = Math.floor(most / 2);
  return [...ids.slice(0, half), ...ids.slice(-half)];
}
