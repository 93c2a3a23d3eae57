import type { DemoWorkspace } from './demo/seed-demo.ts';
import type { Stack } from './stack.ts';

export interface ReadyLine {
  baseUrl: string;
  docsUrl: string;
  workspaceId: string;
  keys: { read: string; write: string; send: string };
  mailboxes: { id: string; email: string }[];
  smtp: { host: string; port: number } | null;
  /** Where mail that left can be looked at; null until sending exists. */
  outboxUrl: string | null;
}

export function readyLine(stack: Stack, demo: DemoWorkspace, smtp: { host: string; port: number } | null): ReadyLine {
  const { workspaceId, keys, mailboxes } = demo;
  return { baseUrl: stack.baseUrl, docsUrl: stack.docsUrl, workspaceId, keys, mailboxes, smtp, outboxUrl: null };
}

/** What a person reads when everything is up. */
export function greeting(ready: ReadyLine): string {
  const { baseUrl, docsUrl, keys, mailboxes, smtp } = ready;
  return [
    '',
    'Postroom is ready.',
    '',
    `  API        ${baseUrl}`,
    `  API page   ${docsUrl}`,
    ...(smtp
      ? [`  SMTP       ${smtp.host}:${smtp.port}   (mail to ${mailboxes[0]?.email ?? 'a mailbox'} arrives in the API)`]
      : []),
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
