import { replyOperation } from '@postroom/mail-store/outgoing-key';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { rawMessage } from './message.ts';
import type { TestStack } from './stack.ts';

/**
 * The id of the draft of a reply that a rule has prepared, and that leaves in ten minutes: to an email that is stored for it,
 * or to the one that is named, as the classifier prepares it.
 */
export async function openWaitingReply(
  stack: TestStack,
  workspaceId: string,
  { id: mailboxId, email }: { id: string; email: string },
  subject: string,
  answers?: { emailId: string },
): Promise<string> {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const outbound = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
  const stored = async () => {
    const messages = [rawMessage({ subject, to: email, isRead: true, isHistory: true })];
    const { outcomes } = await stack.mailboxWrite.ingest({ mailboxId, messages }, { workspaceId });
    return outcomes[0]?.emailId ?? '';
  };
  const emailId = answers?.emailId ?? (await stored());
  const reply = { emailId, ruleId: 'alr_unknown', text: 'Tuesday is fine.', delayMinutes: 10, draftOnly: false };
  const { draftId } = await outbound.scheduleReply(reply, { workspaceId, operationId: replyOperation(emailId) });
  await context.lifecycle.close();
  return draftId;
}
