import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { ServiceContext } from '@postroom/runtime/service';
import { DEMO_MAILBOXES } from './demo-mail.ts';
import { seedMail } from './seed-mail.ts';
import { seedOrder } from './seed-order.ts';

interface SeedOptions {
  operatorToken: string;
  addresses: Readonly<
    Record<'WORKSPACE_OPERATOR_ADDR' | 'MAILBOX_WRITE_ADDR' | 'LABEL_RULE_ADDR' | 'VIEW_FILTER_ADDR', string>
  >;
  context: ServiceContext;
  emails: number;
  seed?: number;
  onProgress: (done: number, all: number) => void;
}

export interface DemoWorkspace {
  workspaceId: string;
  keys: { read: string; write: string; send: string };
  mailboxes: { id: string; email: string }[];
}

/** Makes the demo workspace by the calls that operators, API clients and incoming mail use. */
export async function seedDemo({
  addresses,
  operatorToken,
  context,
  emails,
  seed = 1,
  onProgress,
}: SeedOptions): Promise<DemoWorkspace> {
  const workspaces = connect(WorkspaceOperatorServiceDefinition, addresses.WORKSPACE_OPERATOR_ADDR, {
    context,
    token: operatorToken,
  });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, addresses.MAILBOX_WRITE_ADDR, { context });
  const labelRule = connect(LabelRuleServiceDefinition, addresses.LABEL_RULE_ADDR, { context });
  const viewFilter = connect(ViewFilterServiceDefinition, addresses.VIEW_FILTER_ADDR, { context });

  const { id: workspaceId } = await workspaces.createWorkspace({ name: 'Postroom demo', plan: 'expert' }, {});
  const key = async (name: string, scopes: string[], allowOutboundSend: boolean) => {
    const { secret } = await workspaces.createKey({ workspaceId, name, scopes, allowOutboundSend }, {});
    return secret;
  };
  const keys = {
    read: await key('Demo: read', ['read'], false),
    write: await key('Demo: read and write', ['read', 'write'], false),
    send: await key('Demo: read, write and send', ['read', 'write'], true),
  };
  const mailboxes = await seedMailboxes(workspaceId, workspaces);

  const now = context.clock.date();
  const options = { seed, count: emails, now };
  const idsByTopic = await seedMail({ workspaceId, mailboxes, options, mailboxWrite, onProgress });
  await seedOrder({ workspaceId, idsByTopic, labelRule, viewFilter, mailboxWrite });
  for (const connection of [workspaces, mailboxWrite, labelRule, viewFilter]) connection.close();
  return { workspaceId, keys, mailboxes };
}

async function seedMailboxes(
  workspaceId: string,
  workspaces: ReturnType<typeof connect<WorkspaceOperatorServiceDefinition>>,
): Promise<DemoWorkspace['mailboxes']> {
  const mailboxes: DemoWorkspace['mailboxes'] = [];
  for (const { email, name, aliases } of DEMO_MAILBOXES) {
    const request = { workspaceId, email, name, aliases: [...aliases], withoutTrash: false };
    const { id } = await workspaces.connectMailbox(request, {});
    const html = `<p>Best wishes<br><strong>${name.replace('&', '&amp;')}</strong><br>Harbour &amp; Pine</p>`;
    await workspaces.createSignature({ workspaceId, name, html, isDefault: true, mailboxId: id }, {});
    mailboxes.push({ id, email });
  }
  const html = '<p>Harbour &amp; Pine, furniture makers</p>';
  await workspaces.createSignature({ workspaceId, name: 'Company', html, isDefault: true }, {});
  return mailboxes;
}
