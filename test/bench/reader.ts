import {
  ListEmailsRequest,
  MailboxReadServiceDefinition,
  SearchEmailsRequest,
} from '@postroom/proto/postroom/v1/mailbox_read';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { service } from '../../services/mailbox-read/src/service.ts';
import type { BenchDatabase } from './bench-database.ts';
import { benchMailbox } from './mail.ts';

interface PageBody {
  items: unknown[];
  nextCursor: string | null;
}

interface Reader {
  list(request: Partial<ListEmailsRequest>): Promise<PageBody>;
  search(request: Partial<SearchEmailsRequest>): Promise<PageBody>;
  /** The cursor of the page with this number, the first being 1; the last page's where there are fewer. */
  cursorOf(pageNumber: number): Promise<{ cursor: string | undefined; pageNumber: number }>;
  close(): Promise<void>;
}

const PAGE = 50;
const LARGEST_PAGE = 200;

/** mailbox-read itself, over its socket, on a bench's database. */
export async function openReader(database: BenchDatabase): Promise<Reader> {
  const context = createServiceContext({ name: 'mailbox-read', logLevel: 'silent' });
  const { port } = await service.open(
    // Lists ask no mail server, so nothing has to listen where mailbox-sync is said to be.
    service.config.parse({
      MONGODB_URI: database.uri,
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      MAILBOX_SYNC_ADDR: '127.0.0.1:1',
    }),
    context,
  );
  const client = connect(MailboxReadServiceDefinition, `127.0.0.1:${port}`, { context });
  const call = { workspaceId: benchMailbox.workspaceId };
  const body = ({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString('utf8')) as PageBody;
  const list: Reader['list'] = async (request) =>
    body(await client.listEmails(ListEmailsRequest.create({ limit: PAGE, ...request }), call));
  return {
    list,
    search: async (request) =>
      body(await client.searchEmails(SearchEmailsRequest.create({ limit: PAGE, ...request }), call)),
    cursorOf: async (pageNumber) => {
      let cursor: string | undefined;
      let at = 1;
      while (at < pageNumber) {
        const step = Math.min(LARGEST_PAGE / PAGE, pageNumber - at);
        const { nextCursor } = await list({ cursor, limit: step * PAGE });
        if (nextCursor === null) break;
        cursor = nextCursor;
        at += step;
      }
      return { cursor, pageNumber: at };
    },
    close: () => context.lifecycle.close(),
  };
}
