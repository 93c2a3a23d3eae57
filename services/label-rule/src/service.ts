import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { createRelay } from '@postroom/events/outbox/relay';
import { createAuditStore } from '@postroom/mail-store/audit-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { connect } from '@postroom/rpc/connect';
import { audited } from '@postroom/rpc/audited';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService } from '@postroom/runtime/service';
import { createAiRuleStore } from './ai-rules/ai-rule-store.ts';
import { createAutoForwardLogStore } from './auto-forward/auto-forward-log-store.ts';
import { createAutoForwardStore } from './auto-forward/auto-forward-store.ts';
import { createBackfillStore } from './backfills/backfill-store.ts';
import { labelRuleAudit } from './audit/audit.ts';
import { createCompiledConditionStore } from './compiled-conditions/compiled-condition-store.ts';
import { config } from './config.ts';
import { createExpectedVerdictStore } from './expected-verdicts/expected-verdict-store.ts';
import { startLabelCleanup } from './label-cleanup/label-cleanup.ts';
import { createHandlers } from './handlers.ts';
import { createLabelStore, createTombstoneStore } from './labels/label-store.ts';

export const service = defineService({
  name: 'label-rule',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('label-rule', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const labels = createLabelStore(collections);
    const mailboxWrite = connect(MailboxWriteServiceDefinition, settings.MAILBOX_WRITE_ADDR, { context });
    const viewFilter = connect(ViewFilterServiceDefinition, settings.VIEW_FILTER_ADDR, { context });

    const aiRules = createAiRuleStore(collections);
    const tombstones = createTombstoneStore(collections);
    const labelCleanup = startLabelCleanup({ aiRules, tombstones, mailboxWrite, viewFilter, context });
    context.lifecycle.add('label cleanup', () => labelCleanup.close());

    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    const relay = createRelay({ store: createOutboxStore(collections.backfillJobs, context), bus, context });
    context.lifecycle.add('relay', () => relay.close());

    const handlers = createHandlers({
      context,
      labels,
      aiRules,
      autoForwards: createAutoForwardStore(collections),
      autoForwardLogs: createAutoForwardLogStore(collections),
      compiledConditions: createCompiledConditionStore(collections),
      expectedVerdicts: createExpectedVerdictStore(collections),
      backfills: createBackfillStore(collections),
      relay,
      labelCleanup,
    });
    const services = [
      implement(LabelRuleServiceDefinition, audited<LabelRuleServiceDefinition>(handlers, labelRuleAudit, trail)),
    ];
    return serve({ address: serverAddress(settings), services, context });
  },
});
