import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { type StackProcess, startStackProcess } from '../faults/mirror/stack-process.ts';
import { openAppPeople } from '../support/app-client.ts';
import { apiClient } from '../support/client.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import type { BenchDatabase } from './bench-database.ts';

const WORKSPACES = 10;
const EMAILS = 60;
/** The calls of the pages that people keep open, or open next. */
const CALLS = ['/home', '/mailboxes', '/home', '/ai-label-rules', '/members', '/home', '/views', '/labels'];

/** True for an answer of 200. */
type Ask = (n: number) => Promise<boolean>;

export interface PeopleAtWork {
  /** The n-th request of programs to the API. */
  api: Ask;
  /** The n-th call of people in their browsers. */
  app: Ask;
  close(): Promise<void>;
}

/** The services in a process of their own, with mail in ten workspaces, and people who are signed in to them. */
export async function openPeopleAtWork(database: BenchDatabase, count: number): Promise<PeopleAtWork> {
  const stack = await startStackProcess(database.uri, {});
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const people = await openAppPeople(stack);
  const keys = await fillWorkspaces(stack, context);
  const browsers: Awaited<ReturnType<typeof people.joined>>[] = [];
  for (let n = 0; n < count; n += 1)
    browsers.push(await people.joined(keys[n % keys.length]?.workspaceId ?? '', n < WORKSPACES ? 'owner' : 'member'));
  const cyclic = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  return {
    api: async (n) => {
      const headers = { authorization: `Bearer ${cyclic(keys, n).key}` };
      const response = await fetch(`${stack.baseUrl}/emails?limit=50`, { headers });
      await response.arrayBuffer();
      return response.status === 200;
    },
    app: async (n) => {
      const person = cyclic(browsers, n);
      const path = cyclic(CALLS, Math.floor(n / browsers.length) + n);
      const { status } = await person.call('GET', `${person.workspace}${path}`);
      return status === 200;
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
) {
  const workspaces = connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, { context, token });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context });
  const client = (key?: string) => apiClient(baseUrl, key);
  const filled = [];
  for (let n = 0; n < WORKSPACES; n += 1) {
    const workspace = await createTestWorkspace({ workspaces, mailboxWrite, client });
    const { id } = await workspace.connectMailbox();
    await workspace.ingest(
      id,
      Array.from({ length: EMAILS }, (_, at) => ({ subject: `Invoice ${at}` })),
    );
    filled.push({ workspaceId: workspace.id, key: workspace.keys.read });
  }
  return filled;
}
