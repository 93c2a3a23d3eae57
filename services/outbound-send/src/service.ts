import type { DeadLetters } from '@postroom/events/bus';
import { busOptions } from '@postroom/events/bus-fields';
import { consumeEvents } from '@postroom/events/consume-events';
import { openBus } from '@postroom/events/open-bus';
import { createAuditStore } from '@postroom/mail-store/audit-store';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import { connect } from '@postroom/rpc/connect';
import { changingToken } from '@postroom/rpc/token';
import { audited } from '@postroom/rpc/audited';
import { implement, type Client } from '@postroom/rpc/definition';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { agentsAreStopped, type AgentStore } from './agents/agents.ts';
import { createAgentStore } from './agents/agent-store.ts';
import { createApprovalStore } from './approvals/approval-store.ts';
import { createAttaching } from './attach/fetch-and-attach.ts';
import { outboundSendAudit, outboundSendOperatorAudit } from './audit/audit.ts';
import { config, type Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createMailReaderStore, type MailReaderStore } from './mail-reader/mail-reader-store.ts';
import { draftIsUnchanged, type LoadDraftDeps } from './draft-sends/draft-sends.ts';
import { createForwardSlotStore, type ForwardSlotStore } from './sending/forward-slot-store.ts';
import { createHandlers, createOperatorHandlers } from './handlers.ts';
import { createOnDeliveryReported } from './reports/on-delivery-reported.ts';
import { createPreconditionStore, type PreconditionStore } from './sending/precondition-store.ts';
import { type AnsweredEmails, createAnsweredEmails } from './answered-emails/answered-emails.ts';
import { recording, type RecordingDeps } from './recording/record-sent.ts';
import { createForwardedStore, type ForwardedStore } from './attach/original-store.ts';
import { createReplyStore, type ReplyStore } from './replies/reply-store.ts';
import { createSendStore, type SendStore } from './stored-sends/send-store.ts';
import { createForwardSlots, type ForwardSlots } from './sending/forward-slots.ts';
import { unmetPrecondition } from './sending/preconditions.ts';
import { observeSends } from './sending/observe-sends.ts';
import { createSender, type Sender, type SenderDeps, type SenderOptions } from './sending/sender.ts';
import { deliver } from './smtp/deliver.ts';
import { limitConnections } from './smtp/limit-connections.ts';
import { createSmtpServers } from './servers/smtp-servers.ts';
import { createPermitStore, type PermitStore } from './send-permits/permit-store.ts';

const MEGABYTE = 1024 * 1024;
/** Most reports need little work; some wait for minutes until their send is finished. */
const REPORTS_AT_ONCE = 64;

export const service = defineService({
  name: 'outbound-send',
  config,
  consumes: ['delivery.reported'],
  async open(settings, context) {
    const { collections } = await openMailStoreFor('outbound-send', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const stored = { sends: createSendStore(collections), mailReader: createMailReaderStore(collections) };
    const mailboxWrite = connect(MailboxWriteServiceDefinition, settings.MAILBOX_WRITE_ADDR, { context });
    const mailboxSync = connect(MailboxSyncServiceDefinition, settings.MAILBOX_SYNC_ADDR, { context });
    const labelRule = connect(LabelRuleServiceDefinition, settings.LABEL_RULE_ADDR, { context });
    const answered = createAnsweredEmails();
    const told = { ...stored, answered, replies: createReplyStore(collections), mailboxWrite, mailboxSync, labelRule };
    const agents = createAgentStore(collections);
    const asked = {
      ...told,
      agents,
      preconditions: createPreconditionStore(collections),
      originals: createForwardedStore(collections),
      forwardSlots: createForwardSlotStore(collections),
      permits: createPermitStore(collections),
    };
    const access = openMailboxAccess(settings, context);
    const sender = openSender({ ...asked, access }, settings, context);
    const approvals = createApprovalStore(collections);
    const agentSendsPerDay = settings.AGENT_SENDS_PER_DAY;
    const deps = {
      ...told,
      ...access,
      agents,
      approvals,
      agentSendsPerDay,
      sender,
      context,
      leaseMs: settings.SEND_LEASE,
    };
    await hearReports({ ...deps, deadLetters: createDeadLetterStore(collections) }, settings, context);
    const operators = implement(
      OutboundSendOperatorServiceDefinition,
      audited<OutboundSendOperatorServiceDefinition>(createOperatorHandlers(deps), outboundSendOperatorAudit, trail),
    );
    const operatorPort = await openOperatorPort(settings, operators, context);
    const services = [
      implement(
        OutboundSendServiceDefinition,
        audited<OutboundSendServiceDefinition>(createHandlers(deps), outboundSendAudit, trail),
      ),
    ];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

interface Stored extends Omit<RecordingDeps & LoadDraftDeps, 'context'> {
  answered: AnsweredEmails;
  agents: AgentStore;
  sends: SendStore;
  mailReader: MailReaderStore;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing' | 'updateOutgoing'>;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchRaw' | 'fetchBody'>;
  preconditions: PreconditionStore;
  originals: ForwardedStore;
  forwardSlots: ForwardSlotStore;
  replies: ReplyStore;
  permits: PermitStore;
  access: ReturnType<typeof openMailboxAccess>;
}

function openSender(stored: Stored, settings: Config, context: ServiceContext): Sender {
  const { sends, mailReader } = stored;
  const isUnchanged = draftIsUnchanged({ ...stored, context });
  const preconditions = {
    store: stored.preconditions,
    answered: stored.answered,
    replies: stored.replies,
    draftIsUnchanged: isUnchanged,
    agentsAreStopped: agentsAreStopped(stored),
    clock: context.clock,
    repliesPerHour: settings.REPLIES_PER_HOUR_OF_MAILBOX,
  };
  observeSends(sends, context);
  const ended = context.metrics.counter('postroom_sends_total', 'Attempts to send, by how they ended');
  const deps: SenderDeps = {
    sends,
    permits: stored.permits,
    serverOf: createSmtpServers({
      mailReader,
      accessOf: stored.access.accessOf,
      developmentAddress: settings.DEVELOPMENT_SMTP_ADDR,
    }),
    deliver: limitConnections(deliver, settings.SENDS_PER_SERVER),
    ...recording({ ...stored, context }),
    isFiled: (send) => mailReader.isFiled(send.workspaceId, send, QUERY_BUDGET),
    attach: createAttaching({
      originals: stored.originals,
      mailboxSync: stored.mailboxSync,
      bytes: createBytesInFlight(settings.MEGABYTES_IN_FLIGHT * MEGABYTE),
      context,
    }),
    unmet: (send) => unmetPrecondition(send, preconditions),
    draftIsUnchanged: isUnchanged,
    slots: openForwardSlots(stored.forwardSlots, settings, context),
    count: ({ kind }, outcome) => ended.add(1, { kind, outcome }),
    context,
  };
  const sender = createSender(deps, senderOptions(settings));
  context.lifecycle.add('sends', () => sender.close());
  return sender;
}

function openForwardSlots(store: ForwardSlotStore, settings: Config, { clock, metrics }: ServiceContext): ForwardSlots {
  const skipped = metrics.counter('postroom_forwards_skipped_total', 'Forwards that were not made, by reason');
  const waits = metrics.counter(
    'postroom_forwards_postponed_total',
    'Forwards that wait for an hour with room, by reason',
  );
  const counters = { skipped, waits };
  return createForwardSlots({
    store,
    clock,
    perHour: { rule: settings.FORWARDS_PER_HOUR, workspace: settings.FORWARDS_PER_HOUR_OF_WORKSPACE },
    mostWaiting: settings.FORWARDS_WAITING_OF_WORKSPACE,
    count: (outcome, full) => counters[outcome].add(1, { reason: `${full}_cap` }),
  });
}

/** Consumes bounces and other delivery reports from mail servers. */
async function hearReports(
  { deadLetters, ...deps }: Deps & { deadLetters: DeadLetters },
  settings: Config,
  context: ServiceContext,
): Promise<void> {
  const bus = await openBus({ ...busOptions(settings), context });
  context.lifecycle.add('bus', () => bus.close());
  const reports = context.metrics.counter('postroom_delivery_reports_total', 'Bounces and other reports that came in');
  const { show } = recording(deps);
  const handle = createOnDeliveryReported({ ...deps, show, reports });
  await consumeEvents(bus, context, {
    group: 'outbound-send',
    type: 'delivery.reported',
    deadLetters,
    concurrency: REPORTS_AT_ONCE,
    handle,
  });
}

function senderOptions(settings: Config): SenderOptions {
  return {
    concurrency: settings.SEND_WORKERS,
    bounds: {
      perMailbox: settings.SENDS_PER_MAILBOX,
      perWorkspace: settings.SENDS_PER_WORKSPACE,
      total: settings.SENDS_AT_ONCE,
    },
    perMinute: settings.SENDS_PER_MINUTE,
    leaseMs: settings.SEND_LEASE,
  };
}

/** The credentials of mailboxes, which workspace gives only to callers with the token. */
function openMailboxAccess(settings: Config, context: ServiceContext) {
  const { WORKSPACE_OPERATOR_ADDR: address, MAILBOX_ACCESS_TOKEN: text } = settings;
  const token = text && changingToken('MAILBOX_ACCESS_TOKEN', text, context);
  const access = address && token ? connect(MailboxAccessServiceDefinition, address, { context, token }) : undefined;
  const opened = () => {
    if (!access) throw new Error('WORKSPACE_OPERATOR_ADDR and MAILBOX_ACCESS_TOKEN are not set');
    return access;
  };
  return {
    accessOf: async (workspaceId: string, mailboxId: string, refusedTokenEpoch?: number) =>
      opened().getMailboxAccess({ workspaceId, mailboxId, refusedTokenEpoch }, {}),
    accessOfConsent: async (consentId: string, call: Call) =>
      opened().getConsentAccess({ workspaceId: call.workspaceId, consentId }, call),
  };
}
