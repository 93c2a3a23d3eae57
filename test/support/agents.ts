import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { TestStack } from './stack.ts';

const DAY_MS = 86_400_000;

/** A member, as the opened link of an invitation stores one. */
export async function storeMember(stack: TestStack, workspaceId: string, personId: string, role: 'owner' | 'member') {
  const members = [{ personId, role, joinedAt: new Date() }];
  await stack.collections.workspaceMembers.updateOne(
    { _id: workspaceId, workspaceId },
    { $push: { members: { $each: members }, personIds: { $each: [personId] } }, $setOnInsert: { version: 1 } },
    { upsert: true },
  );
}

/** A client that this member has let in, as consent stores it. */
export async function storeGrant(stack: TestStack, workspaceId: string, personId: string, clientName = 'Helper') {
  const found = await stack.collections.workspaceMembers.findOne({ _id: workspaceId }).lean();
  const memberSince = found?.members.find((member) => member.personId === personId)?.joinedAt;
  if (!memberSince) throw new Error('a grant needs a member');
  const createdAt = new Date();
  const _id = `gra_${workspaceId}_${clientName}`;
  await stack.collections.grants.create({
    _id,
    workspaceId,
    personId,
    memberSince,
    clientId: 'https://client.example/oauth.json',
    clientName,
    clientHost: 'client.example',
    scopes: ['read', 'write'],
    level: 'approve',
    resource: 'https://mail.example.com/mcp',
    createdAt,
    expiresAt: new Date(createdAt.getTime() + DAY_MS),
  });
  return _id;
}

interface Asked {
  subject: string;
  personId: string;
  body?: { text?: string; html?: string };
  grantId?: string;
  /** Of the recipient. */
  name?: string;
}

/** The id of the approval that an agent waits for, to send a new draft. */
export async function openWaitingApproval(
  stack: TestStack,
  workspaceId: string,
  mailboxId: string,
  { subject, personId, body = { text: 'Is Tuesday fine?' }, grantId = 'gra_unknown', name }: Asked,
): Promise<string> {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const outbound = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
  const to = [{ email: 'bob@other.example', name }];
  const within = { workspaceId, operationId: context.ids('op') };
  const draft = { mailboxId, to, cc: [], bcc: [], subject, body, references: [], unsigned: false };
  const { draftId } = await outbound.createDraft(draft, within);
  const agent = { kind: 'grant', id: grantId, name: 'Helper', personId, level: 'approve' };
  const { approvalId = '' } = await outbound.sendDraft({ draftId, agent }, { workspaceId });
  await context.lifecycle.close();
  return approvalId;
}
