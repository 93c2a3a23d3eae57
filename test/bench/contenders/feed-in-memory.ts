import type { Change } from '@postroom/proto/postroom/v1/changes';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { createServiceContext } from '@postroom/runtime/service-context';
import { only, resolveKey } from './every-key.ts';
import { announce } from './report.ts';

const TICK_MS = 10;
/** Changes of a workspace that are kept. */
const KEPT = 2_000;
const perSecond = Number(process.argv[2] ?? '0');

interface Feed {
  changes: Change[];
  wake: Set<() => void>;
}

const feeds = new Map<string, Feed>();
const feedOf = (workspaceId: string): Feed => {
  const feed = feeds.get(workspaceId) ?? { changes: [], wake: new Set() };
  feeds.set(workspaceId, feed);
  return feed;
};
const headOf = ({ changes }: Feed) => changes.at(-1)?.seq ?? 0;

/** So many changes in a second, one workspace after the other. The time of the change is in it. */
let next = 0;
let due = 0;
setInterval(() => {
  const all = [...feeds.values()];
  for (due += (perSecond * TICK_MS) / 1_000; due >= 1 && all.length > 0; due -= 1)
    append(all[next++ % all.length] as Feed);
}, TICK_MS);

function append(feed: Feed): void {
  const seq = headOf(feed) + 1;
  const data = '{"emailId":"eml_2V7cQyTn0bLw8dRk5sXfUa","mailboxId":"mbx_2V7cQyTn0bLw8dRk5sXfUa","folderType":"INBOX"}';
  const createdAt = new Date().toISOString();
  feed.changes.push({ seq, id: `evt_${seq}`, event: 'email.received', createdAt, data, cursor: `c${seq}` });
  if (feed.changes.length > 2 * KEPT) feed.changes.splice(0, KEPT);
  for (const wake of feed.wake) wake();
  feed.wake.clear();
}

void serve({
  address: '127.0.0.1:0',
  services: [
    only(WorkspaceServiceDefinition, { resolveKey: async ({ secretHash }) => resolveKey(secretHash) }),
    implement(ChangesServiceDefinition, {
      async listChanges({ since, limit }, { workspaceId }) {
        const feed = feedOf(workspaceId);
        const after = since?.$case === 'seq' ? since.value : headOf(feed);
        const first = feed.changes[0]?.seq ?? 1;
        const changes = feed.changes.slice(Math.max(0, after + 1 - first)).slice(0, limit);
        const nextSeq = changes.at(-1)?.seq ?? after;
        return { changes, nextSeq, nextCursor: `c${nextSeq}`, hasMore: false };
      },
      async watchChanges({ seq }, { workspaceId, signal }) {
        const feed = feedOf(workspaceId);
        if (headOf(feed) <= seq)
          await new Promise<void>((wake) => {
            feed.wake.add(wake);
            signal.addEventListener('abort', () => wake(), { once: true });
          });
        return { seq: headOf(feed) };
      },
    }),
  ],
  context: createServiceContext({ name: 'bench', logLevel: 'silent' }),
}).then(({ port }) => announce({ address: `127.0.0.1:${port}` }));
