import type { Json } from '../../support/client.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import type { Witness } from './witness.ts';

/** The promise of an answer: the change is stored from then on, and its event is published. */
export interface Promised {
  kind: 'label' | 'no label' | 'read' | 'received';
  workspace: TestWorkspace;
  id: string;
}

interface Truth {
  labels: Set<string>;
  /** Whether each email is read. */
  emails: Map<string, boolean>;
}

const MOST_ATTEMPTS = 10;
const EVENTS = { read: 'email.updated', received: 'email.received' } as const;

/** The promises that a caller finds broken now. */
export async function brokenData(promises: readonly Promised[]): Promise<Promised[]> {
  const truths = new Map<TestWorkspace, Truth>();
  for (const workspace of new Set(promises.map((promise) => promise.workspace))) {
    truths.set(workspace, await truthOf(workspace));
  }
  const holds = ({ kind, workspace, id }: Promised): boolean => {
    const { labels, emails } = truths.get(workspace) as Truth;
    if (kind === 'label') return labels.has(id);
    if (kind === 'no label') return !labels.has(id);
    return kind === 'read' ? emails.get(id) === true : emails.has(id);
  };
  return promises.filter((promise) => !holds(promise));
}

/** The changes that were not announced, or by more than one logical event. */
export function brokenEvents(promises: readonly Promised[], witness: Witness): string[] {
  return promises.flatMap(({ kind, id }) => {
    if (kind !== 'read' && kind !== 'received') return [];
    const { size } = witness.eventsOf(EVENTS[kind], id);
    return size === 1 ? [] : [`${size} events ${EVENTS[kind]} of ${id}`];
  });
}

/** The changes that the feed of their workspace does not tell. */
export async function missingInFeed(promises: readonly Promised[]): Promise<string[]> {
  const told = new Set<string>();
  for (const workspace of new Set(promises.map((promise) => promise.workspace)))
    for (const { event, data } of await feedOf(workspace)) told.add(`${event} of ${data.emailId}`);
  return promises.flatMap(({ kind, id }) => {
    if (kind !== 'read' && kind !== 'received') return [];
    const change = `${EVENTS[kind]} of ${id}`;
    return told.has(change) ? [] : [`no change ${change}`];
  });
}

async function feedOf(workspace: TestWorkspace): Promise<{ event: string; data: { emailId: string } }[]> {
  const changes = [];
  for (let since = '', hasMore = true; hasMore;) {
    const page = await ask(workspace, `/changes?limit=500${since}`);
    changes.push(...page.items);
    hasMore = page.hasMore;
    since = `&since=${encodeURIComponent(page.nextCursor)}`;
  }
  return changes;
}

/** Refusals of the first seconds are counted by the load; an audit wants to know what is there. */
async function ask({ read }: TestWorkspace, path: string): Promise<Json> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { status, body } = await read.get(path);
    if (status === 200) return body;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${path} is not answered any more`);
}

async function truthOf(workspace: TestWorkspace): Promise<Truth> {
  const labels = (await ask(workspace, '/labels')).items as { id: string }[];
  const emails = new Map<string, boolean>();
  let cursor: string | null | undefined;
  do {
    const body = await ask(workspace, `/emails?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
    for (const { id, isRead } of body.items) emails.set(id, isRead);
    cursor = body.nextCursor;
  } while (cursor);
  return { labels: new Set(labels.map(({ id }) => id)), emails };
}
