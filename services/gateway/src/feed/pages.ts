import type { Change, ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import { bounds } from '@postroom/contract/bounds';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';

interface Deps {
  changes: Pick<Client<typeof ChangesServiceDefinition>, 'listChanges'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** Changes as a stream sends them. */
interface StreamPage {
  /** The number of the first change; of the next one where there is none yet. */
  first: number;
  /** The number of the last change. */
  end: number;
  bytes: Buffer;
}

export type ReadPage = (workspaceId: string, after: number) => Promise<StreamPage>;

/** Streams that stand at one change read on together: one call and one buffer serve all of them. */
export function createPages({ changes, context: { clock, ids } }: Deps): ReadPage {
  const reading = new Map<string, Promise<StreamPage>>();
  const read: ReadPage = async (workspaceId, after) => {
    const call = { workspaceId, requestId: ids('req'), deadline: clock.now() + timeLimits.requestMs };
    const since = { $case: 'seq', value: after } as const;
    const page = await changes.listChanges({ since, limit: bounds.changes.page.usual }, call);
    const bytes = Buffer.from(page.changes.map(toEvent).join(''));
    return { first: page.changes[0]?.seq ?? after + 1, end: page.nextSeq, bytes };
  };
  return (workspaceId, after) => {
    const name = `${workspaceId} ${after}`;
    const page = reading.get(name) ?? read(workspaceId, after).finally(() => reading.delete(name));
    reading.set(name, page);
    return page;
  };
}

/** One event of a stream. The data is JSON of one line already. */
function toEvent({ seq, id, event, createdAt, data, cursor }: Change): string {
  const head = JSON.stringify({ seq, id, event, createdAt }).slice(0, -1);
  return `id: ${cursor}\nevent: ${event}\ndata: ${head},"data":${data}}\n\n`;
}
