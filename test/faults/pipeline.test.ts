import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededFaults } from '@postroom/events/faults';
import type { ServiceName } from '@postroom/local/services';
import { eventually } from '../engines/eventually.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { rawMessage } from '../support/message.ts';
import { type PipelineProcesses, startPipelineProcesses } from '../support/pipeline-processes.ts';
import { skipAloud } from '../support/skips.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { controlOf } from './support/engines-control.ts';
import { howManyEmails } from './support/how-many.ts';

const { KAFKA_BROKERS = '', ENGINES_CONTROL = '', SEED } = process.env;
const EMAILS = howManyEmails(120);
/** At the least; while mail still comes in it goes on. */
const KILLS = 5;
const BATCH = 5;
const MAILBOXES = 4;
const PATIENCE_MS = 400_000 + EMAILS * 200;
const VICTIMS: ServiceName[] = ['mailbox-write', 'label-rule', 'outbound-send', 'classifier', 'forwarder'];
/** A third is forwarded by its label, a third answered, the rest has its label at most. */
const KINDS = ['Invoice', 'Question', 'Plain'] as const;
const [forwards = 0, replies = 0] = KINDS.map((_, kind) => Math.ceil((EMAILS - kind) / KINDS.length));
const seed = Number(SEED ?? Math.floor(Math.random() * 1_000_000));

if (!KAFKA_BROKERS) skipAloud('P13, the whole pipeline under kills: KAFKA_BROKERS is not given');
const onKafka = KAFKA_BROKERS ? describe : describe.skip;

onKafka('P13: kill -9 of any service of the pipeline, at any time', () => {
  let model: FakeModel;
  let sink: MailSink;
  let pipeline: PipelineProcesses;
  beforeAll(async () => {
    sink = await openMailSink();
    model = await startFakeModel(({ rules, email }) =>
      rules.map(({ rule_id, condition }) => {
        return { rule_id, applies: email.subject.includes(condition), confidence: 95, reason: 'it says so' };
      }),
    );
    const bounds = ['FORWARDS_PER_HOUR', 'FORWARDS_PER_HOUR_OF_WORKSPACE', 'SENDS_PER_MINUTE', 'SENDS_PER_MAILBOX'];
    const variables = {
      ...Object.fromEntries(bounds.map((name) => [name, '100000'])),
      DEVELOPMENT_SMTP_ADDR: sink.address,
      LLM_BASE_URL: model.baseUrl,
      SEND_LEASE: '2s',
    };
    pipeline = await startPipelineProcesses({
      mongodbUri: freshDatabaseUri(),
      kafkaBrokers: KAFKA_BROKERS,
      variables,
    });
  }, 400_000);
  afterAll(async () => {
    await pipeline.close();
    await Promise.all([sink.close(), model.close()]);
  }, 60_000);

  /** Forwards what is labelled as an invoice, and answers questions at once. */
  const prepare = async () => {
    const workspace = await createTestWorkspace(pipeline);
    const mailboxes = await Promise.all(Array.from({ length: MAILBOXES }, () => workspace.connectMailbox()));
    const rule = (condition: string, extra: object) =>
      workspace.send.post('/ai-label-rules', { name: condition, color: 'Pink', condition, ...extra });
    const replies = { autoDraftEnabled: true, autoReplyEnabled: true, autoReplyDelayMinutes: 0 };
    const forward = { conditionValue: 'Invoice', forwardTo: 'books@far.example' };
    const made = [
      await rule('Invoice', {}),
      await rule('Question', replies),
      await workspace.send.post('/auto-forward-rules', forward),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    return { workspace, mailboxes };
  };

  /** A source that asks again until it is answered, as mail servers do. */
  const feed = async ({ workspace, mailboxes }: Awaited<ReturnType<typeof prepare>>) => {
    for (let at = 0; at < EMAILS; at += BATCH) {
      const mailboxId = mailboxes[(at / BATCH) % MAILBOXES]?.id ?? '';
      const messages = Array.from({ length: BATCH }, (_, n) =>
        rawMessage({
          subject: `${KINDS[(at + n) % 3]} ${at + n} end`,
          from: `p${at + n}@near.example`,
          to: 'us@x.example',
        }),
      );
      for (let isTaken = false; !isTaken;) {
        isTaken = await pipeline.mailboxWrite.ingest({ mailboxId, messages }, { workspaceId: workspace.id }).then(
          () => true,
          () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 200)),
        );
      }
    }
  };

  const killAtRandom = async (mail: { isComing: boolean }) => {
    const random = seededFaults({ seed, delay: { share: 1, maxMs: EMAILS > 1_000 ? 10_000 : 1_000 } });
    let kills = 0;
    for (; kills < KILLS || mail.isComing; kills++) {
      await new Promise((resolve) => setTimeout(resolve, random.delayMs()));
      await pipeline.killAndRestart(VICTIMS[random.delayMs() % VICTIMS.length] ?? 'classifier');
      if (kills === Math.floor(KILLS / 2) && ENGINES_CONTROL) {
        const kafka = controlOf(ENGINES_CONTROL, 'kafka');
        await kafka('stop');
        await kafka('start');
      }
    }
    return kills;
  };

  it(
    'leaves every email classified, and every label, reply and forward made exactly once, as the mail server saw them',
    async () => {
      const home = await prepare();
      const workspaceId = home.workspace.id;
      const { emails, sends, autoForwardLogs } = pipeline.collections;
      const mail = { isComing: true };
      const feeding = feed(home).finally(() => (mail.isComing = false));
      const [kills] = await Promise.all([killAtRandom(mail), feeding]);
      const isArrived = { workspaceId, folderType: 'INBOX' } as const;
      await eventually(async () => {
        expect(await emails.countDocuments({ ...isArrived, classifiedAt: { $exists: true } })).toBe(EMAILS);
        expect(await sends.countDocuments({ workspaceId })).toBe(forwards + replies);
        const unfinished = { workspaceId, state: { $nin: ['recorded' as const, 'unknown' as const] } };
        expect(await sends.countDocuments(unfinished)).toBe(0);
        expect(await autoForwardLogs.countDocuments({ workspaceId })).toBe(forwards);
      }, PATIENCE_MS);

      const labelled = await emails.find(isArrived, { labelIds: 1, subject: 1 }).lean();
      const wrong = labelled.filter(
        ({ labelIds, subject }) => labelIds.length !== (subject.startsWith('Plain') ? 0 : 1),
      );
      expect(wrong).toEqual([]);
      const unknown = await sends.find({ workspaceId, state: 'unknown' }, { messageId: 1 }).lean();
      const idsSeen = sink.caught.map(({ raw }) => /^Message-ID: *(\S+)/im.exec(raw)?.[1]);
      const subjects = sink.caught.map(({ raw }) => /^Subject: *(.+?)\r?$/im.exec(raw)?.[1]);
      expect([new Set(idsSeen).size, new Set(subjects).size]).toEqual([idsSeen.length, idsSeen.length]);
      // What nobody can know, because the process died while the server had the whole message, may have gone out or not.
      const sent = (await sends.find({ workspaceId, state: 'recorded' }, { messageId: 1 }).lean()).map(
        ({ messageId }) => messageId,
      );
      expect(sent.filter((id) => !idsSeen.includes(id))).toEqual([]);
      const known = new Set([...sent, ...unknown.map(({ messageId }) => messageId)]);
      expect(idsSeen.filter((id) => !known.has(id ?? ''))).toEqual([]);
      expect(unknown.length).toBeLessThanOrEqual(kills * 3);
      const filed = await emails.countDocuments({ workspaceId, folderType: 'SENT' });
      expect(filed).toBe(sent.length);
      process.stdout.write(
        `P13 PASS emails=${EMAILS} kills=${kills} broker=${ENGINES_CONTROL ? 'restarted' : 'steady'} sent=${sent.length} ` +
          `unknown=${unknown.length} lost=0 dup=0 seed=${seed}\n`,
      );
    },
    PATIENCE_MS + 300_000,
  );
});
