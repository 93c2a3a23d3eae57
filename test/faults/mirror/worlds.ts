import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@postroom/local/services';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient } from '../../support/client.ts';
import { startPipelineProcesses } from '../../support/pipeline-processes.ts';
import type { StackProcess } from './stack-process.ts';

/** Mailboxes are read so often that a test need not wait long. */
const BRISK = { SENT_SCAN: '1s', FOLDER_SCAN: '1s', POLL: '500ms', MAILBOX_LEASE: '4s', CLAIMS_PER_SECOND: '200' };
/** The services live so long, at most, before the next of them is killed. */
const LIFE_MS = 3_000;

type Callers = ReturnType<typeof callersOf>;
type Random = (below: number) => number;

/** The services under test. Their callers change when they are killed. */
export interface MirrorWorld {
  callers(): Callers;
  /** Kills every service once, and starts it again. */
  killEach(random: Random): Promise<void>;
  close(): Promise<void>;
}

const ROOT = join(__dirname, '../../..');
/** Services start in a third of the time when `npm run build` has been run. */
const isBuilt = process.env['MIRROR_BUILT'] === 'true';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });

function callersOf({ baseUrl, addresses, operatorToken: token }: Omit<StackProcess, 'kill' | 'appUrl'>) {
  return {
    workspaces: connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, { context, token }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context }),
    changes: connect(ChangesServiceDefinition, addresses.CHANGES_ADDR, { context }),
    client: (key?: string) => apiClient(baseUrl, key),
  };
}

/** So many at once: each compiles what it loads. */
const AT_ONCE = 3;

/** Each service in a process of its own, on a broker and a database that live on. */
export async function openEngineWorld(mongodbUri: string, kafkaBrokers: string, keys: string): Promise<MirrorWorld> {
  const variables = { SECRET_KEYS: keys, ...BRISK };
  const pipeline = await startPipelineProcesses({
    mongodbUri,
    kafkaBrokers,
    variables,
    built: isBuilt ? ROOT : undefined,
  });
  const { addresses, operatorToken } = pipeline;
  const callers = callersOf({ baseUrl: `http://${addresses.GATEWAY_ADDR}/api/v1`, addresses, operatorToken });
  return {
    callers: () => callers,
    killEach: async (random) => {
      const order = SERVICES.map((name) => ({ name, rank: random(1_000_000) }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ name }) => name);
      for (let from = 0; from < order.length; from += AT_ONCE) {
        await sleep(random(LIFE_MS));
        await Promise.all(order.slice(from, from + AT_ONCE).map((name) => pipeline.killAndRestart(name)));
      }
    },
    close: async () => {
      await pipeline.close();
      await context.lifecycle.close();
    },
  };
}
