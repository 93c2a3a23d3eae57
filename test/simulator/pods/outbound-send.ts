import { collectionsOf } from '@postroom/mail-store/access';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { agentsAreStopped } from '../../../services/outbound-send/src/agents/agents.ts';
import { createAgentStore } from '../../../services/outbound-send/src/agents/agent-store.ts';
import { createApprovalStore } from '../../../services/outbound-send/src/approvals/approval-store.ts';
import { createAttaching } from '../../../services/outbound-send/src/attach/fetch-and-attach.ts';
import { createForwardedStore } from '../../../services/outbound-send/src/attach/original-store.ts';
import { createMailReaderStore } from '../../../services/outbound-send/src/mail-reader/mail-reader-store.ts';
import { draftIsUnchanged } from '../../../services/outbound-send/src/draft-sends/draft-sends.ts';
import { createHandlers } from '../../../services/outbound-send/src/handlers.ts';
import {
  type AnsweredEmails,
  createAnsweredEmails,
} from '../../../services/outbound-send/src/answered-emails/answered-emails.ts';
import { recording } from '../../../services/outbound-send/src/recording/record-sent.ts';
import { createReplyStore } from '../../../services/outbound-send/src/replies/reply-store.ts';
import { createPermitStore } from '../../../services/outbound-send/src/send-permits/permit-store.ts';
import { createForwardSlotStore } from '../../../services/outbound-send/src/sending/forward-slot-store.ts';
import { createForwardSlots } from '../../../services/outbound-send/src/sending/forward-slots.ts';
import { createPreconditionStore } from '../../../services/outbound-send/src/sending/precondition-store.ts';
import { unmetPrecondition } from '../../../services/outbound-send/src/sending/preconditions.ts';
import { createSender, type Sender } from '../../../services/outbound-send/src/sending/sender.ts';
import { createSendStore } from '../../../services/outbound-send/src/stored-sends/send-store.ts';
import { simulatedCollections } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { Deliver } from '../peers/smtp.ts';
import type { OpenPod } from './pods.ts';

/** A pod that stands still may lose it. */
const LEASE_MS = 6_000;
const MOST = 100;
/** So few that two pods want more. */
export const PERMITS_OF_A_MAILBOX = 2;
const OPTIONS = {
  concurrency: 8,
  bounds: { perMailbox: PERMITS_OF_A_MAILBOX, perWorkspace: 8, total: 16 },
  perMinute: 60,
  leaseMs: LEASE_MS,
};

/** As its service.ts opens it, with a scripted mail server, and without delivery reports. */
export const openOutboundSend =
  (deliverOf: (pod: Process) => Deliver): OpenPod =>
  async (pod, { network }) => {
    const { context } = pod;
    const stored = storedOf(pod);
    const peers = {
      mailboxWrite: network.connect(MailboxWriteServiceDefinition, pod),
      mailboxSync: network.connect(MailboxSyncServiceDefinition, pod),
      labelRule: network.connect(LabelRuleServiceDefinition, pod),
    };
    const told = { ...stored, ...peers, answered: createAnsweredEmails(), context };
    const nobody = async () => {
      throw new Error('no mailbox of a simulation has credentials');
    };
    const handlers = createHandlers({
      ...told,
      accessOfConsent: nobody,
      approvals: createApprovalStore(stored.collections),
      agentSendsPerDay: MOST,
      sender: openSender(told, deliverOf(pod)),
      leaseMs: LEASE_MS,
    });
    network.serve(OutboundSendServiceDefinition, pod, handlers);
  };

function storedOf({ context }: Process) {
  const collections = collectionsOf(simulatedCollections(), 'outbound-send');
  return {
    collections,
    sends: createSendStore(collections),
    mailReader: createMailReaderStore(collections),
    replies: createReplyStore(collections),
    agents: createAgentStore(collections),
    preconditions: createPreconditionStore(collections),
    originals: createForwardedStore(collections),
    permits: createPermitStore(collections),
    slots: createForwardSlots({
      store: createForwardSlotStore(collections),
      clock: context.clock,
      perHour: { rule: MOST, workspace: MOST },
      mostWaiting: MOST,
      count: () => undefined,
    }),
  };
}

type Told = ReturnType<typeof storedOf> & { answered: AnsweredEmails } & Pick<Process, 'context'> &
  Parameters<typeof recording>[0] &
  Parameters<typeof draftIsUnchanged>[0] & { mailboxSync: Parameters<typeof createAttaching>[0]['mailboxSync'] };

function openSender(told: Told, deliver: Deliver): Sender {
  const { sends, mailReader, permits, replies, slots, context } = told;
  const preconditions = {
    store: told.preconditions,
    answered: told.answered,
    replies,
    draftIsUnchanged: draftIsUnchanged(told),
    agentsAreStopped: agentsAreStopped(told),
    clock: context.clock,
    repliesPerHour: MOST,
  };
  const deps = {
    sends,
    permits,
    serverOf: async () => ({ host: 'mail.example', port: 25, isSecure: false, isPlain: true }),
    deliver,
    ...recording(told),
    isFiled: (send: Parameters<typeof mailReader.isFiled>[1] & { workspaceId: string }) =>
      mailReader.isFiled(send.workspaceId, send, QUERY_BUDGET),
    attach: createAttaching({ ...told, bytes: createBytesInFlight(1024 * 1024) }),
    draftIsUnchanged: preconditions.draftIsUnchanged,
    unmet: (send: Parameters<typeof unmetPrecondition>[0]) => unmetPrecondition(send, preconditions),
    slots,
    count: () => undefined,
    context,
  };
  return createSender(deps, OPTIONS);
}
