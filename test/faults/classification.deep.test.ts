import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createClassifiedEmailStore } from '../../services/classifier/src/classify/mail-store.ts';
import { withoutPatterns } from '../../services/classifier/src/classify/in-memory.test-support.ts';
import { alwaysAvailable, type Model } from '../../services/classifier/src/model/model.ts';
import { createUnclassifiedStore } from '../../services/classifier/src/pending/pending-store.ts';
import { currentRules } from '../../services/classifier/src/classify/current-rules.ts';
import { createRuleStore } from '../../services/classifier/src/classify/rule-store.ts';
import { createCorrespondence } from '../../services/classifier/src/correspondence/correspondence.ts';
import { createCorrespondenceStore } from '../../services/classifier/src/correspondence/correspondence-store.ts';
import { createOwnerStore } from '../../services/classifier/src/correspondence/owner-store.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { untilTaken } from '../support/until-taken.ts';
import { faultsOf, mailOf, toldTwice } from './classification/audit.ts';
import { startMortalClassifiers, type MortalClassifiers } from './classification/mortal-classifiers.ts';
import { untilDone } from './classification/until-done.ts';
import { witness } from './classification/witness.ts';
import { howManyEmails } from './support/how-many.ts';

const SEED = Number(process.env.POSTROOM_SEED ?? 20_261_122);
const EMAILS = howManyEmails(96);
const AT_ONCE = 8;

const context = createServiceContext({ name: 'mortal', logLevel: 'silent' });
const { clock } = context;
let sink: MailSink;
let bus: MemoryBus;
let stack: TestStack;
let told: ReadonlyMap<string, string>;
let classifiers: MortalClassifiers;

beforeAll(async () => {
  sink = await openMailSink();
  bus = memoryBus({ clock, log: silentLog, faults: { seed: SEED, drop: 0.05, repeat: 0.1 } });
  told = await witness(bus);
  // One mailbox answers them all, at no pace.
  const variables = {
    DEVELOPMENT_SMTP_ADDR: sink.address,
    SENDS_PER_MINUTE: '100000',
    SENDS_PER_MAILBOX: '16',
    REPLIES_PER_HOUR_OF_MAILBOX: '100000',
  };
  stack = await startStack({ bus, without: ['classifier'], variables });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, stack.addresses.MAILBOX_WRITE_ADDR, { context });
  const outboundSend = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
  const mail = createClassifiedEmailStore(stack.collections);
  const rulesOf = currentRules(createRuleStore(stack.collections));
  const pending = createUnclassifiedStore(stack.collections);
  const failures = { add: () => undefined };
  const model = fickleModel();
  const modelUse = { of: () => () => undefined };
  const messages = createCorrespondenceStore(stack.collections);
  const correspondence = createCorrespondence(messages, createOwnerStore(stack.collections), clock);
  const stores = { mail, correspondence, pending, compiled: withoutPatterns };
  const deps = { ...stores, rulesOf, model, modelUse, mailboxWrite, outboundSend, clock, log: silentLog, failures };
  // An email is fourteen steps or so. In a long run one dies every few seconds, else there would be little else.
  classifiers = await startMortalClassifiers({
    bus,
    deps,
    count: 3,
    share: EMAILS > 1_000 ? 0.002 : 0.01,
    random: randomOf(SEED),
  });
});
afterAll(async () => {
  await classifiers.close();
  await stack.close();
  await sink.close();
  await bus.close();
  await context.lifecycle.close();
});

/** It is sure of prices; of what may be, it says something else each time it is asked, and never the same twice. */
function fickleModel(): Model {
  const random = randomOf(SEED + 1);
  let asked = 0;
  return {
    availability: alwaysAvailable,
    judge: async ({ rules, mail }) => {
      const applies = mail.subject.startsWith('price') || (mail.subject.startsWith('perhaps') && random() < 0.5);
      const verdicts = rules.map(({ ruleId }) => ({ ruleId, applies, confidence: 90, reason: `asked ${++asked}` }));
      return { verdicts, model: 'fickle', inputTokens: 1, outputTokens: 1 };
    },
    reply: async () => `Answer ${++asked}`,
  };
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

describe('P13, P14: classifiers that are killed again and again', () => {
  it('leave no email unclassified, give no label, draft or reply twice, and keep the order of each thread', async () => {
    const workspace = await stack.workspace();
    const workspaceId = workspace.id;
    const mailbox = await workspace.connectMailbox({ email: 'bob@example.com' });
    const rule = { name: 'Prices', color: 'Pink', condition: 'asks', autoDraftEnabled: true, autoReplyEnabled: true };
    await workspace.send.post('/ai-label-rules', { ...rule, autoReplyDelayMinutes: 0 });
    const emailIds: string[] = [];
    for (let n = 0; n < EMAILS; n += AT_ONCE) {
      const mails = Array.from({ length: AT_ONCE }, (_, k) => mailOf(n + k));
      emailIds.push(...(await untilTaken(() => workspace.ingest(mailbox.id, mails))));
    }
    await untilDone(stack, { workspaceId, emails: EMAILS, kills: classifiers.kills });
    classifiers.spare();
    await bus.idle();

    expect(await faultsOf(stack, sink, { workspaceId, emailIds })).toEqual([]);
    expect(toldTwice(told)).toEqual([]);
    expect(classifiers.kills()).toBeGreaterThan(EMAILS / 100);
    process.stdout.write(
      `P13 PASS emails=${EMAILS} kills=${classifiers.kills()} unclassified=0 twice=0 replies=${sink.caught.length} seed=${SEED}\n`,
    );
  }, 3_600_000);
});
