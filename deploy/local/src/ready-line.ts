import type { Feature } from '@postroom/contract/lists';
import type { DemoWorkspace } from './demo/seed-demo.ts';
import type { Stack } from './stack.ts';

export interface ReadyLine {
  baseUrl: string;
  docsUrl: string;
  /** The MCP server. */
  mcpUrl: string;
  /** The address at which people sign in. */
  appUrl: string;
  /** Signs the demo owner in once, within ten minutes of the start. */
  appSignInUrl: string;
  workspaceId: string;
  keys: { read: string; write: string; send: string };
  mailboxes: { id: string; email: string }[];
  smtp: { host: string; port: number } | null;
  /** The sent messages as JSON. The parent path is a page for people. */
  outboxUrl: string;
  /** The closed parts of the API that are open here. */
  features: readonly Feature[];
}

type Others = Pick<ReadyLine, 'appSignInUrl' | 'smtp' | 'outboxUrl' | 'features'>;

export function readyLine(stack: Stack, demo: DemoWorkspace, others: Others): ReadyLine {
  const { workspaceId, keys, mailboxes } = demo;
  const { baseUrl, docsUrl, appUrl, mcpUrl } = stack;
  return { baseUrl, docsUrl, appUrl, mcpUrl, workspaceId, keys, mailboxes, ...others };
}

const NO_MODEL = 'none is connected; rules are judged by words of a few topics. Set LLM_BASE_URL to connect one.';

/** The text for a person when everything is ready. */
export function greeting(ready: ReadyLine, modelUrl: string | undefined): string {
  const { baseUrl, docsUrl, appSignInUrl, mcpUrl, keys, mailboxes, smtp, outboxUrl, features } = ready;
  return [
    '',
    'Postroom is ready.',
    '',
    `  App        ${appSignInUrl}`,
    '             (signs the demo owner in, once, within ten minutes)',
    `  API        ${baseUrl}`,
    `  API page   ${docsUrl}`,
    `  MCP        ${mcpUrl}   (for agents, with one of the keys below; docs/mcp.md)`,
    ...(features.length > 0 ? [`  Open       ${features.join(', ')}`] : []),
    ...(smtp
      ? [`  SMTP       ${smtp.host}:${smtp.port}   (mail to ${mailboxes[0]?.email ?? 'a mailbox'} arrives in the API)`]
      : []),
    `  Model      ${modelUrl ? new URL(modelUrl).origin : NO_MODEL}`,
    `  Outbox     ${new URL('.', outboxUrl).href}   (what the API sends; none of it leaves this machine)`,
    '',
    `  key to read              ${keys.read}`,
    `  key to read and write    ${keys.write}`,
    `  key to write and send    ${keys.send}`,
    '',
    'Try it:',
    `  curl -s -H 'Authorization: Bearer ${keys.read}' '${baseUrl}/emails?limit=2'`,
    '',
    'Ctrl-C stops it; the data stays. "npm start -- --fresh" begins anew.',
    '',
  ].join('\n');
}
