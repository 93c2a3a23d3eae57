import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { type StackProcess, startStackProcess } from '../faults/mirror/stack-process.ts';
import { apiClient } from '../support/client.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import type { BenchDatabase } from './bench-database.ts';
import { type PeopleProcess, startPeople } from './people-process.ts';

export interface PeopleAtWork extends Pick<PeopleProcess, 'work'> {
  /** The n-th request of programs to the API; true for an answer of 200. */
  api(n: number): Promise<boolean>;
  close(): Promise<void>;
}

interface Amounts {
  people: number;
  workspaces: number;
  /** In each workspace. */
  emails: number;
}

/** The services in a process of their own, with mail in some workspaces, and people who are signed in to them. */
export async function openPeopleAtWork(database: BenchDatabase, amounts: Amounts): Promise<PeopleAtWork> {
  const stack = await startStackProcess(database.uri, {});
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const filled = await fillWorkspaces(stack, context, amounts);
  const { addresses, operatorToken, appUrl } = stack;
  const workspaceIds = filled.map(({ workspaceId }) => workspaceId);
  const people = await startPeople({
    stack: { addresses, operatorToken, appUrl },
    workspaceIds,
    count: amounts.people,
  });
  return {
    work: people.work,
    api: async (n) => {
      const headers = { authorization: `Bearer ${filled[n % filled.length]?.key}` };
      const response = await fetch(`${stack.baseUrl}/emails?limit=50`, { headers });
      await response.arrayBuffer();
      return response.status === 200;
    },
    close: async () => {
      await people.close();
      await context.lifecycle.close();
      await stack.kill();
    },
  };
}

async function fillWorkspaces(
  { baseUrl, addresses, operatorToken: token }: StackProcess,
  context: ReturnType<typeof createServiceContext>,
  amounts: Amounts,
) {
  const workspaces = connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, { context, token });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context });
  const client = (key?: string) => apiClient(baseUrl, key);
  const filled = [];
  for (let n = 0; n < amounts.workspaces; n += 1) {
    const workspace = await createTestWorkspace({ workspaces, mailboxWrite, client });
    const { id } = await workspace.connectMailbox();
    await workspace.ingest(
      id,
      Array.from({ length: amounts.emails }, (_, at) => ({ subject: `Invoice ${at}` })),
    );
    filled.push({ workspaceId: workspace.id, key: workspace.keys.read });
  }
  return filled;
}
