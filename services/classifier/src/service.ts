import { busOptions } from '@postroom/events/bus-fields';
import type { Bus } from '@postroom/events/bus';
import { openBus } from '@postroom/events/open-bus';
import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import type { z } from 'zod';
import { createBackfillStore } from './backfill-store.ts';
import type { ClassifyDeps } from './classify.ts';
import { config } from './config.ts';
import { lexicalJudge } from './lexical/lexical-judge.ts';
import { createMailStore, type MailStore } from './mail-store.ts';
import type { Model } from './model/model.ts';
import { openAiModel } from './model/openai-model.ts';
import { type BackfillDeps, createOnBackfillRequested } from './on-backfill-requested.ts';
import { observeWaiting } from './observe-waiting.ts';
import { conversationOf, createOnEmailReceived } from './on-email-received.ts';
import { recentRules } from './recent-rules.ts';
import { createRuleStore } from './rule-store.ts';
import { sweepWaiting } from './sweep.ts';

type Config = z.infer<typeof config>;

const GROUP = 'classifier';
const BACKFILLS_AT_ONCE = 2;
/** 500 emails, four at a time, each as slow as a model may be. */
const LONGEST_BACKFILL_MS = 3_600_000;

export const service = defineService({
  name: 'classifier',
  config,
  async open(settings, context) {
    const { clock } = context;
    const { collections } = await openMailStore(storeSettings(settings), context);
    const mailboxWrite = connect(MailboxWriteServiceDefinition, settings.MAILBOX_WRITE_ADDR, { context });
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());

    const mail = createMailStore(collections);
    observeWaiting(mail, context);
    const rulesOf = recentRules(createRuleStore(collections), clock);
    const outboundSend = connect(OutboundSendServiceDefinition, settings.OUTBOUND_SEND_ADDR, { context });
    const model = openModel(settings, context);
    const deps: ClassifyDeps = { mail, rulesOf, model, mailboxWrite, outboundSend, clock };
    await consume(bus, deps, mail, settings, context);
    const jobs = createBackfillStore(collections);
    const labelRule = connect(LabelRuleServiceDefinition, settings.LABEL_RULE_ADDR, { context });
    await consumeBackfills(bus, { classifyDeps: deps, mail, jobs, labelRule }, context);
    return {};
  },
});

async function consume(bus: Bus, deps: ClassifyDeps, mail: MailStore, settings: Config, context: ServiceContext) {
  const { clock, log, lifecycle } = context;
  const received = await bus.subscribe({
    group: GROUP,
    topic: 'email.received',
    concurrency: settings.LLM_CONCURRENCY,
    orderBy: conversationOf,
    onMessage: createOnEmailReceived(deps),
  });
  const stop = new AbortController();
  const sweeping = sweepWaiting({ classifyDeps: deps, mail, lag: () => received.lag(), clock, log }, stop.signal);
  lifecycle.add('sweep of waiting emails', () => {
    stop.abort(new Error('closing'));
    return sweeping;
  });
  lifecycle.add('consumers', () => received.close());
}

/** Few at once, on a topic of their own: live mail never waits behind them. */
async function consumeBackfills(bus: Bus, deps: BackfillDeps, { lifecycle }: ServiceContext): Promise<void> {
  const backfills = await bus.subscribe({
    group: GROUP,
    topic: 'backfill.requested',
    concurrency: BACKFILLS_AT_ONCE,
    timeLimitMs: LONGEST_BACKFILL_MS,
    onMessage: createOnBackfillRequested(deps),
  });
  lifecycle.add('consumer of backfills', () => backfills.close());
}

function openModel(settings: Config, context: ServiceContext): Model {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODEL: model } = settings;
  const prices = { input: settings.LLM_INPUT_PRICE, output: settings.LLM_OUTPUT_PRICE };
  if (baseUrl) return openAiModel({ baseUrl, apiKey, model, prices }, context);
  context.log.info('no LLM_BASE_URL: a small judge of words answers');
  return lexicalJudge();
}
