import { setTimeout as pause } from 'node:timers/promises';
import type { Collections } from '@postroom/mail-store/collections';
import type { ServiceName } from '@postroom/local/services';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { ServiceContext } from '@postroom/runtime/service-context';
import { apiClient, type Answer, type ApiClient } from '../../support/client.ts';
import type { MailSink } from '../../support/mail-sink.ts';
import { rawMessage } from '../../support/message.ts';
import { createTestWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { load, type Load } from './load.ts';
import type { Pods } from './pods.ts';

interface TrafficOptions {
  services: readonly ServiceName[];
  /** Whether what comes in gets as far as to rules that forward it. */
  isForwarded: boolean;
  pods: Pods;
  context: ServiceContext;
  token: string;
  callsPerSecond: number;
  emailsPerSecond: number;
}

export interface Traffic {
  calls: Load;
  emails: Load;
  workspaceIds: string[];
  /** The subjects that mailboxes were sent, and of those the ones that a rule forwards. */
  sent: string[];
  due: string[];
}

interface Home {
  workspace: TestWorkspace;
  mailboxId: string;
  emailId: string;
}

const WORKSPACES = 8;
const MAILBOXES = 4;
/** As many emails as a provider would put up with being forwarded. */
const FORWARDED = 16;
const FORWARD = { conditionField: 'subject_contains', conditionValue: 'invoice', forwardTo: 'archive@else.example' };
const COME_AGAIN_AFTER_MS = 200;
const COME_AGAIN_WITHIN_MS = 60_000;

interface Task {
  by: ServiceName;
  call(caller: ApiClient, emailId: string, nth: number): Promise<Answer>;
}

const TASKS: readonly Task[] = [
  { by: 'mailbox-read', call: (caller) => caller.get('/emails?limit=10') },
  { by: 'mailbox-read', call: (caller) => caller.get('/emails/search?q=letter') },
  { by: 'mailbox-write', call: (caller, id, nth) => caller.patch(`/emails/${id}`, { isStarred: nth % 2 === 0 }) },
  { by: 'label-rule', call: (caller) => caller.get('/labels') },
  { by: 'view-filter', call: (caller) => caller.get('/views') },
];

/** Calls over the API, and mail as mailbox-sync brings it, at a steady pace. */
export async function startTraffic({
  services,
  pods,
  context,
  token,
  isForwarded,
  ...rates
}: TrafficOptions): Promise<Traffic> {
  const workspaces = connect(WorkspaceOperatorServiceDefinition, pods.addressOf('workspace', '50052'), {
    context,
    token,
  });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, pods.addressOf('mailbox-write', '50051'), { context });
  const client = (key: string) => apiClient(pods.gateways()[0] ?? '', key);
  const homes: Home[] = [];
  for (let at = 0; at < WORKSPACES; at++) {
    const workspace = await createTestWorkspace({ workspaces, mailboxWrite, client });
    if (isForwarded) await workspace.send.post('/auto-forward-rules', FORWARD);
    for (let mailbox = 0; mailbox < MAILBOXES; mailbox++) {
      const { id: mailboxId } = await workspace.connectMailbox();
      const [emailId = ''] = await workspace.ingest(mailboxId, [{ subject: 'The first' }]);
      homes.push({ workspace, mailboxId, emailId });
    }
  }
  const sent: string[] = [];
  const due: string[] = [];
  const homeOf = (nth: number) => homes[nth % homes.length] as Home;

  const emails = load(rates.emailsPerSecond, async (nth) => {
    const { workspace, mailboxId } = homeOf(nth);
    const isDue = isForwarded && nth % FORWARDED === 0;
    const subject = `${isDue ? 'Invoice' : 'Letter'} ${nth}.`;
    sent.push(subject);
    if (isDue) due.push(subject);
    const messages = [rawMessage({ subject, messageId: `<${nth}@there.example>` })];
    await comeAgain(() => mailboxWrite.ingest({ mailboxId, messages }, { workspaceId: workspace.id }));
  });
  const tasks = TASKS.filter(({ by }) => services.includes(by));
  const calls = load(rates.callsPerSecond, async (nth) => {
    const { workspace, emailId } = homeOf(nth);
    const gateways = pods.gateways();
    const caller = apiClient(gateways[nth % gateways.length] ?? '', workspace.keys.write);
    const { call } = tasks[Math.floor(nth / homes.length) % tasks.length] as (typeof tasks)[number];
    const { status, body } = await call(caller, emailId, nth);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  });
  return { calls, emails, workspaceIds: homes.map(({ workspace }) => workspace.id), sent, due };
}

/** Repeats an attempt until it succeeds, as a source of mail does. It then throws the first failure as a report. */
async function comeAgain(attempt: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + COME_AGAIN_WITHIN_MS;
  let failure: unknown;
  for (;;) {
    try {
      await attempt();
      break;
    } catch (error) {
      failure ??= error;
      if (Date.now() > until) throw error;
      await pause(COME_AGAIN_AFTER_MS);
    }
  }
  if (failure) throw failure;
}

/** Counts the sent emails that are missing, and those that are stored more than once; the same for forwards. */
export async function auditTraffic({ workspaceIds, sent, due }: Traffic, collections: Collections, sink: MailSink) {
  const stored = await collections.emails
    .find({ workspaceId: { $in: workspaceIds }, folderType: 'INBOX' }, { subject: 1 })
    .lean<{ subject: string }[]>();
  const forwarded = sink.caught.map(({ raw }) => /^Subject: Fwd: (.*?)\r?$/m.exec(raw)?.[1] ?? '');
  const [mail, forwards] = [
    compare(
      sent,
      stored.map(({ subject }) => subject),
    ),
    compare(due, forwarded),
  ];
  return {
    lost: mail.lost,
    doubled: mail.doubled,
    'forwards lost': forwards.lost,
    'forwards doubled': forwards.doubled,
  };
}

function compare(expected: string[], found: string[]): { lost: number; doubled: number } {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  const of = expected.map((one) => counts.get(one) ?? 0);
  return { lost: of.filter((count) => count === 0).length, doubled: of.filter((count) => count > 1).length };
}
