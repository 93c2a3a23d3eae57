import { ApiError } from '@postroom/errors/api-error';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';
import type { Change, ListChangesRequest } from '@postroom/proto/postroom/v1/changes';
import { readCursor, refuseCursor, writeCursor } from './cursors/cursors.ts';
import type { Deps, Rpcs } from './deps.ts';

const MOST = 500;

export function createHandlers({ changes, changeWaiters }: Deps): Rpcs {
  return {
    async listChanges({ since, limit }, call) {
      const { workspaceId } = call;
      if (since?.$case === 'now') return pageOf(workspaceId, [], await changes.visibleHead(workspaceId), false);
      const after = positionOf(workspaceId, since);
      const most = Math.min(Math.max(1, limit), MOST);
      const found = dense(await changes.page(workspaceId, after, most + 1, call));
      const [first] = found;
      if (since?.$case === 'cursor') {
        if (first && first.seq !== after + 1) await refuseExpired(workspaceId, first);
        if (!first && (await changes.head(workspaceId)) < after) refuseCursor();
      }
      return pageOf(workspaceId, found.slice(0, most), after, found.length > most);
    },

    async watchChanges({ seq, waitMs }, call) {
      const { workspaceId } = call;
      // The wait begins before the look, so that no change comes between the two unseen.
      const waited = changeWaiters.wait(workspaceId, seq, Math.min(waitMs, call.remainingMs()), call.signal);
      const head = await changes.visibleHead(workspaceId).catch((error: unknown) => {
        waited.end();
        throw error;
      });
      if (head > seq) waited.end();
      await waited.over;
      return { seq: head > seq ? head : await changes.visibleHead(workspaceId) };
    },
  };

  async function refuseExpired(workspaceId: string, oldest: ChangeDocument): Promise<never> {
    throw new ApiError('CHANGES_EXPIRED', {
      details: {
        oldestCursor: writeCursor(workspaceId, oldest.seq - 1),
        currentCursor: writeCursor(workspaceId, await changes.visibleHead(workspaceId)),
      },
    });
  }
}

function positionOf(workspaceId: string, since: ListChangesRequest['since']): number {
  if (since?.$case === 'cursor') return readCursor(workspaceId, since.value);
  return since?.$case === 'seq' ? since.value : 0;
}

/** A trim during the read leaves a hole; the changes behind it are for the next page. */
function dense(found: readonly ChangeDocument[]): ChangeDocument[] {
  const end = found.findIndex(({ seq }, n) => seq !== (found[0]?.seq ?? 0) + n);
  return found.slice(0, end === -1 ? found.length : end);
}

function pageOf(workspaceId: string, found: readonly ChangeDocument[], after: number, hasMore: boolean) {
  const nextSeq = found.at(-1)?.seq ?? after;
  return {
    changes: found.map((document) => toMessageChange(workspaceId, document)),
    nextCursor: writeCursor(workspaceId, nextSeq),
    nextSeq,
    hasMore,
  };
}

function toMessageChange(workspaceId: string, document: ChangeDocument): Change {
  const { _id, seq, event, createdAt, data, appendedAt } = document;
  const cursor = writeCursor(workspaceId, seq);
  return {
    id: _id,
    seq,
    event,
    createdAt: createdAt.toISOString(),
    data: JSON.stringify(data),
    cursor,
    appendedAt: appendedAt?.toISOString(),
  };
}
