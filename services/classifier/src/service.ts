import { busOptions } from '@postroom/events/bus-fields';
import { consumeEvents } from '@postroom/events/consume-events';
import { openBus } from '@postroom/events/open-bus';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import type { DayCountsStore } from '@postroom/mail-store/day-counts';
import { createDayCountsStore } from '@postroom/mail-store/day-counts-store';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ClassifierServiceDefinition } from '@postroom/proto/postroom/v1/classifier';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import type { z } from 'zod';
import { createRunnableBackfillStore } from './backfill/backfill-store.ts';
import { createBackfillPoll } from './backfill/poll.ts';
import { config } from './config.ts';
import { createCompiledConditions } from './compiled-conditions/compiled-conditions.ts';
import { createPatternStore } from './compiled-conditions/pattern-store.ts';
import { createCorrespondence } from './correspondence/correspondence.ts';
import { createCorrespondenceStore } from './correspondence/correspondence-store.ts';
import { createOwnerStore } from './correspondence/owner-store.ts';
import type { Deps } from './deps.ts';
import { createClassifiedEmailStore } from './classify/mail-store.ts';
import type { EstimatingModel, Prices } from './model/model.ts';
import { type ModelUseCounts, openModelUse } from './model-use/model-use.ts';
import { openAiModel } from './model/openai-model.ts';
import { observeWaiting } from './pending/observe-waiting.ts';
import { conversationOf, createOnEmailReceived } from './pending/on-email-received.ts';
import { createUnclassifiedStore } from './pending/pending-store.ts';
import { isLiveMailDue, pollPending } from './pending/poll.ts';
import { createWorker } from './pending/worker.ts';
import { currentRules } from './classify/current-rules.ts';
import { createKeptAnswersStore } from './classify/kept-answers-store.ts';
import { createRuleStore } from './classify/rule-store.ts';
import { createHandlers } from './handlers.ts';
import { createRuleTestStore } from './rule-test/rule-test-store.ts';

type Config = z.infer<typeof config>;

const GROUP = 'classifier';

export const service = defineService({
  name: 'classifier',
  config,
  consumes: ['email.received', 'backfill.requested'],
  async open(settings, context) {
    const { clock, log } = context;
    const { collections } = await openMailStoreFor('classifier', storeSettings(settings), context);
    const mailboxWrite = connect(MailboxWriteServiceDefinition, settings.MAILBOX_WRITE_ADDR, { context });
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());

    const deadLetters = createDeadLetterStore(collections);
    const mail = createClassifiedEmailStore(collections);
    const owners = createOwnerStore(collections);
    const correspondence = createCorrespondence(createCorrespondenceStore(collections), owners, clock);
    const pending = createUnclassifiedStore(collections);
    const rules = createRuleStore(collections);
    const rulesOf = currentRules(rules);
    const outboundSend = connect(OutboundSendServiceDefinition, settings.OUTBOUND_SEND_ADDR, { context });
    const model = openModel(settings, context);
    const modelUse = openUse(settings, createDayCountsStore(collections.modelCounts), context);
    observeWaiting(pending, model, context);
    const failures = countFailures(context);
    const patterns = createPatternStore(collections);
    const compiled = createCompiledConditions(patterns, clock);
    const answers = createKeptAnswersStore(collections);
    const stores = { mail, correspondence, pending, rulesOf, livingRules: rules.living, answers, compiled, patterns };
    const deps = { ...stores, model, modelUse, mailboxWrite, outboundSend, clock, log, failures };
    const worker = createWorker(deps, settings.LLM_CONCURRENCY);
    await consumeEvents(bus, context, {
      group: GROUP,
      type: 'email.received',
      deadLetters,
      concurrency: settings.LLM_CONCURRENCY,
      orderBy: conversationOf,
      handle: createOnEmailReceived({ worker, model, rulesOf }),
    });
    const emails = pollPending({ pending, worker, model, rulesOf, clock, log });
    // Both polls end before the consumer of live mail does.
    context.lifecycle.add('poll for pending emails', () => emails.close().then(worker.idle));
    const jobs = createRunnableBackfillStore(collections);
    const labelRule = connect(LabelRuleServiceDefinition, settings.LABEL_RULE_ADDR, { context });
    const backfills = createBackfillPoll({ ...deps, classifyDeps: deps, jobs, labelRule, worker });
    backfills.start();
    context.lifecycle.add('poll for backfills', backfills.close);
    await consumeEvents(bus, context, {
      group: GROUP,
      type: 'backfill.requested',
      deadLetters,
      concurrency: 1,
      // The backfill waits in MongoDB. The event is only a wake-up.
      handle: async () => backfills.wake(),
    });
    const isLiveMailWaiting = () => isLiveMailDue({ pending, worker, clock });
    const tests = createRuleTestStore(collections);
    return serveTests(settings, context, { ...deps, tests, isLiveMailDue: isLiveMailWaiting });
  },
});

function serveTests(settings: Config, context: ServiceContext, deps: Omit<Deps, 'prices'>) {
  const handlers = createHandlers({ ...deps, prices: pricesOf(settings) });
  const services = [implement(ClassifierServiceDefinition, handlers)];
  return serve({ address: serverAddress(settings), services, context });
}

function countFailures({ metrics }: ServiceContext) {
  const help = 'Attempts at an email that failed, by what becomes of it';
  return metrics.counter('postroom_classification_failures_total', help);
}

function openUse(settings: Config, store: DayCountsStore, context: ServiceContext): ModelUseCounts {
  return openModelUse(store, { prices: pricesOf(settings), flushedEveryMs: settings.USAGE_FLUSH }, context);
}

const pricesOf = ({ LLM_INPUT_PRICE: input, LLM_OUTPUT_PRICE: output }: Config): Prices => ({ input, output });

function openModel(settings: Config, context: ServiceContext): EstimatingModel {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODEL: model } = settings;
  return openAiModel({ baseUrl, apiKey, model, prices: pricesOf(settings) }, context);
}
