import { createRelay } from '@postroom/events/outbox/relay';
import { collectionsOf } from '@postroom/mail-store/access';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { createAiRuleStore } from '../../../services/label-rule/src/ai-rules/ai-rule-store.ts';
import { createAutoForwardLogStore } from '../../../services/label-rule/src/auto-forward/auto-forward-log-store.ts';
import { createAutoForwardStore } from '../../../services/label-rule/src/auto-forward/auto-forward-store.ts';
import { createBackfillStore } from '../../../services/label-rule/src/backfills/backfill-store.ts';
import { createCompiledConditionStore } from '../../../services/label-rule/src/compiled-conditions/compiled-condition-store.ts';
import { createExpectedVerdictStore } from '../../../services/label-rule/src/expected-verdicts/expected-verdict-store.ts';
import { createHandlers } from '../../../services/label-rule/src/handlers.ts';
import { startLabelCleanup } from '../../../services/label-rule/src/label-cleanup/label-cleanup.ts';
import { createLabelStore, createTombstoneStore } from '../../../services/label-rule/src/labels/label-store.ts';
import { simulatedCollections } from '../world/database.ts';
import type { OpenPod } from './pods.ts';

/** As its service.ts opens it. */
export const openLabelRule: OpenPod = async (pod, { broker, network }) => {
  const { context } = pod;
  const collections = collectionsOf(simulatedCollections(), 'label-rule');
  const aiRules = createAiRuleStore(collections);
  const labelCleanup = startLabelCleanup({
    aiRules,
    tombstones: createTombstoneStore(collections),
    mailboxWrite: network.connect(MailboxWriteServiceDefinition, pod),
    viewFilter: network.connect(ViewFilterServiceDefinition, pod),
    context,
  });
  const handlers = createHandlers({
    context,
    labels: createLabelStore(collections),
    aiRules,
    autoForwards: createAutoForwardStore(collections),
    autoForwardLogs: createAutoForwardLogStore(collections),
    compiledConditions: createCompiledConditionStore(collections),
    expectedVerdicts: createExpectedVerdictStore(collections),
    backfills: createBackfillStore(collections),
    relay: createRelay({
      store: createOutboxStore(simulatedCollections().backfillJobs, context),
      bus: broker.busOf(pod),
      context,
    }),
    labelCleanup,
  });
  network.serve(LabelRuleServiceDefinition, pod, handlers);
};
