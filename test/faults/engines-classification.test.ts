import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { startFakeModel, type FakeModel } from '../support/fake-model.ts';
import { removeTopics } from '../support/kafka-topics.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { untilTaken } from '../support/until-taken.ts';
import { faultsOf, mailOf, toldTwice } from './classification/audit.ts';
import { untilDone } from './classification/until-done.ts';
import { witness } from './classification/witness.ts';
import { controlOf } from './support/engines-control.ts';
import { howManyEmails } from './support/how-many.ts';

const { ENGINES_CONTROL: command = '', KAFKA_BROKERS: brokers = '' } = process.env;
const EMAILS = howManyEmails(200);
const AT_ONCE = 8;
/** Of one that was killed the broker hears for six seconds that he may still live, and nobody reads: a long run lets them work in between. */
const KILL_EVERY_MS = EMAILS > 1_000 ? 10_000 : 4_000;
const PROCESSES = 2;

const lacking = !brokers || !command;
if (lacking) skipAloud('classifiers killed on Kafka: KAFKA_BROKERS and ENGINES_CONTROL are not both given');

(lacking ? describe.skip : describe)(
  'P13, P14: classifiers that are killed on Kafka, whose broker is started anew',
  () => {
    const prefix = `p13-${randomUUID().slice(0, 8)}.`;
    const processes: Promise<ServiceProcess>[] = [];
    let sink: MailSink;
    let model: FakeModel;
    let bus: Bus;
    let stack: TestStack;
    let told: ReadonlyMap<string, string>;
    let asked = 0;

    beforeAll(async () => {
      sink = await openMailSink();
      model = await startFakeModel(
        ({ rules, email: { subject } }) => {
          const applies = subject.startsWith('price') || (subject.startsWith('perhaps') && ++asked % 2 === 0);
          return rules.map(({ rule_id }) => ({ rule_id, applies, confidence: 90, reason: `asked ${asked}` }));
        },
        () => `Answer ${++asked}`,
      );
      bus = await openKafkaBus({
        brokers: brokers.split(','),
        clientId: 'p13',
        prefix,
        clock: systemClock,
        log: silentLog,
      });
      told = await witness(bus);
      stack = await startStack({
        bus,
        without: ['classifier'],
        kafkaBrokers: undefined,
        // One mailbox answers them all, at no pace.
        variables: {
          DEVELOPMENT_SMTP_ADDR: sink.address,
          SENDS_PER_MINUTE: '100000',
          SENDS_PER_MAILBOX: '16',
          REPLIES_PER_HOUR_OF_MAILBOX: '100000',
        },
      });
      for (let n = 0; n < PROCESSES; n++) processes.push(start());
      await Promise.all(processes);
    }, 120_000);
    afterAll(async () => {
      for (const one of processes) await (await one).kill();
      await stack.close();
      await bus.close();
      await removeTopics(brokers.split(','), prefix);
      await model.close();
      await sink.close();
    });

    const start = () => {
      const { MAILBOX_WRITE_ADDR, LABEL_RULE_ADDR, OUTBOUND_SEND_ADDR } = stack.addresses;
      const callees = { MAILBOX_WRITE_ADDR, LABEL_RULE_ADDR, OUTBOUND_SEND_ADDR };
      const kafka = { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix };
      return startServiceProcess('classifier', {
        GRPC_PORT: '0',
        ...callees,
        ...kafka,
        MONGODB_URI: stack.mongodbUri,
        LLM_BASE_URL: model.baseUrl,
      });
    };

    it('leave no email unclassified, give no label, draft or reply twice, and keep the order of each thread', async () => {
      const workspace = await stack.workspace();
      const workspaceId = workspace.id;
      const mailbox = await workspace.connectMailbox({ email: 'bob@example.com' });
      const rule = { name: 'Prices', color: 'Pink', condition: 'asks', autoDraftEnabled: true, autoReplyEnabled: true };
      await workspace.send.post('/ai-label-rules', { ...rule, autoReplyDelayMinutes: 0 });

      const over = new AbortController();
      let kills = 0;
      const killing = (async () => {
        for (;;) {
          await systemClock.sleep(KILL_EVERY_MS, over.signal);
          const index = kills++ % PROCESSES;
          await (await processes[index])?.kill();
          processes[index] = start();
          await processes[index];
        }
      })().catch(() => undefined);
      const emailIds: string[] = [];
      for (let n = 0; n < EMAILS; n += AT_ONCE) {
        const mails = Array.from({ length: AT_ONCE }, (_, k) => mailOf(n + k));
        emailIds.push(...(await untilTaken(() => workspace.ingest(mailbox.id, mails))));
      }
      const control = controlOf(command, 'kafka');
      await control('stop');
      await control('start');

      await untilDone(stack, { workspaceId, emails: EMAILS, kills: () => kills });
      over.abort();
      await killing;
      expect(await faultsOf(stack, sink, { workspaceId, emailIds })).toEqual([]);
      expect(toldTwice(told)).toEqual([]);
      expect(kills).toBeGreaterThan(0);
      process.stdout.write(
        `P13 PASS kafka emails=${EMAILS} kills=${kills} restarts=1 unclassified=0 twice=0 replies=${sink.caught.length}\n`,
      );
    }, 3_600_000);
  },
);
