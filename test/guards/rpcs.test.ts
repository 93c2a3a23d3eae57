import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { GenericDefinition } from '@postroom/rpc/definition';
import { ROOT } from './sources.ts';

/**
 * NO_SIDE_EFFECTS alone decides that a call shares a stream with others and is tried again when its connection breaks.
 * On a write it would do things twice; missing on a read it would cost every caller its way.
 */
const GOLDEN = `
DeadLetterService/ListDeadLetters          NO_SIDE_EFFECTS
DeadLetterService/ReplayDeadLetters
DeadLetterService/DropDeadLetters
LabelRuleService/ListLabels                NO_SIDE_EFFECTS
LabelRuleService/GetLabel                  NO_SIDE_EFFECTS
LabelRuleService/CreateLabel
LabelRuleService/UpdateLabel
LabelRuleService/DeleteLabel
LabelRuleService/ListAiLabelRules          NO_SIDE_EFFECTS
LabelRuleService/GetAiLabelRule            NO_SIDE_EFFECTS
LabelRuleService/CreateAiLabelRule
LabelRuleService/UpdateAiLabelRule
LabelRuleService/DeleteAiLabelRule
LabelRuleService/BackfillAiLabels
LabelRuleService/ListBackfills             NO_SIDE_EFFECTS
LabelRuleService/RecordBackfill
LabelRuleService/ListAutoForwardRules      NO_SIDE_EFFECTS
LabelRuleService/GetAutoForwardRule        NO_SIDE_EFFECTS
LabelRuleService/CreateAutoForwardRule
LabelRuleService/UpdateAutoForwardRule
LabelRuleService/DeleteAutoForwardRule
LabelRuleService/ListAutoForwardLogs       NO_SIDE_EFFECTS
LabelRuleService/RecordForward
MailboxReadService/ListEmails              NO_SIDE_EFFECTS
MailboxReadService/SearchEmails            NO_SIDE_EFFECTS
MailboxReadService/GetEmail                NO_SIDE_EFFECTS
MailboxReadService/GetEmailBody            NO_SIDE_EFFECTS
MailboxReadService/ListDrafts              NO_SIDE_EFFECTS
MailboxReadService/GetDraft                NO_SIDE_EFFECTS
MailboxReadService/ListMailboxes           NO_SIDE_EFFECTS
MailboxReadService/ListSignatures          NO_SIDE_EFFECTS
MailboxSyncService/GetSyncState            NO_SIDE_EFFECTS
MailboxSyncService/TryLogin
MailboxSyncService/SyncNow
MailboxSyncService/FetchRaw
MailboxSyncService/FetchBody
MailboxWriteOperatorService/ListSetAside   NO_SIDE_EFFECTS
MailboxWriteOperatorService/RetrySetAside
MailboxWriteOperatorService/ListQuarantined NO_SIDE_EFFECTS
MailboxWriteOperatorService/RetryQuarantined
MailboxWriteService/Ingest
MailboxWriteService/UpdateEmail
MailboxWriteService/DeleteEmail
MailboxWriteService/ApplyLabel
MailboxWriteService/RemoveLabel
MailboxWriteService/BulkMarkRead
MailboxWriteService/BulkDelete
MailboxWriteService/BulkApplyLabel
MailboxWriteService/BulkRemoveLabel
MailboxWriteService/ForgetLabel
MailboxWriteService/StoreOutgoing
MailboxWriteService/UpdateOutgoing
MailboxWriteService/KeepVerdicts
MailboxWriteService/PostponeClassification
MailboxWriteService/RecordClassification
MailboxWriteService/RestoreBody
MailboxWriteService/ApplyProviderChanges
MailboxWriteService/ForgetPlaces
MailboxWriteService/SettleProviderChanges
MailboxWriteService/FinishRound
OutboundSendOperatorService/ListSends      NO_SIDE_EFFECTS
OutboundSendOperatorService/GetSend        NO_SIDE_EFFECTS
OutboundSendOperatorService/SettleSend
OutboundSendService/CreateDraft
OutboundSendService/SendEmail
OutboundSendService/ForwardEmail
OutboundSendService/ScheduleReply
OutboundSendService/TryLogin
ViewFilterService/ListViews                NO_SIDE_EFFECTS
ViewFilterService/GetView                  NO_SIDE_EFFECTS
ViewFilterService/CreateView
ViewFilterService/UpdateView
ViewFilterService/DeleteView
ViewFilterService/ListInboxFilters         NO_SIDE_EFFECTS
ViewFilterService/GetInboxFilter           NO_SIDE_EFFECTS
ViewFilterService/CreateInboxFilter
ViewFilterService/UpdateInboxFilter
ViewFilterService/DeleteInboxFilter
ViewFilterService/ForgetLabel
MailboxAccessService/GetMailboxAccess
MailboxAccessService/RecordSync
WorkspaceOperatorService/CreateWorkspace
WorkspaceOperatorService/ListWorkspaces    NO_SIDE_EFFECTS
WorkspaceOperatorService/SuspendWorkspace
WorkspaceOperatorService/ResumeWorkspace
WorkspaceOperatorService/ChangePlan
WorkspaceOperatorService/CreateKey
WorkspaceOperatorService/ListKeys          NO_SIDE_EFFECTS
WorkspaceOperatorService/RevokeKey
WorkspaceOperatorService/ConnectMailbox
WorkspaceOperatorService/ListWorkspaceMailboxes NO_SIDE_EFFECTS
WorkspaceOperatorService/DisconnectMailbox
WorkspaceOperatorService/ReconnectMailbox
WorkspaceOperatorService/RequestTokens
WorkspaceOperatorService/LocateMailbox     NO_SIDE_EFFECTS
WorkspaceOperatorService/CreateSignature
WorkspaceOperatorService/CountSecrets      NO_SIDE_EFFECTS
WorkspaceOperatorService/RotateSecrets
WorkspaceService/ResolveKey                NO_SIDE_EFFECTS
WorkspaceService/FindRecipient             NO_SIDE_EFFECTS
`;

const folder = join(ROOT, 'libs/proto/src/postroom/v1');
const isDefinition = (value: unknown): value is GenericDefinition =>
  typeof value === 'object' && value !== null && 'fullName' in value && 'methods' in value;
const definitions = readdirSync(folder)
  .sort()
  .flatMap((file) => Object.values(require(join(folder, file)) as object).filter(isDefinition));

describe('the rpcs', () => {
  it('are those that were agreed, each with what a repeat of it does', () => {
    const lines = definitions.flatMap(({ name, methods }) =>
      Object.values(methods).map(({ name: method, options }) =>
        `${`${name}/${method}`.padEnd(42)} ${options.idempotencyLevel ?? ''}`.trimEnd(),
      ),
    );
    expect(lines).toEqual(GOLDEN.trim().split('\n'));
  });
});
