import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabaseUri } from '../support/database.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { type PipelineProcesses, startPipelineProcesses } from '../support/pipeline-processes.ts';
import { skipAloud } from '../support/skips.ts';
import { allDone, faultsOf, type Standing, standing } from './engines-pipeline/audit.ts';
import { type CountingServer, openCountingServer } from './engines-pipeline/counting-server.ts';
import { killAtRandom, type Killing, type Kills } from './engines-pipeline/kills.ts';
import { BOOKS, correspondentOf, feed, prepareHome } from './engines-pipeline/mails.ts';
import { watchProgress } from './engines-pipeline/progress.ts';
import { unfinished } from './engines-pipeline/unfinished.ts';
import { brokerRestart } from './support/engines-control.ts';
import { howManyEmails } from './support/how-many.ts';

const { KAFKA_BROKERS = '', SMTP_ADDR, MAIL_CONTROL, SEED } = process.env;
const EMAILS = howManyEmails(120);
const isLong = EMAILS > 1_000;
const PATIENCE_MS = 700_000 + EMAILS * 500;
/** The load of the test exceeds the usual values of these flood limits. */
const BOUNDS = [
  'FORWARDS_PER_HOUR',
  'FORWARDS_PER_HOUR_OF_WORKSPACE',
  'REPLIES_PER_HOUR_OF_MAILBOX',
  'SENDS_PER_MINUTE',
  'SENDS_PER_MAILBOX',
];
const seed = Number(SEED ?? Math.floor(Math.random() * 1_000_000));

const rateOf = ({ classified }: Standing, begun: number) => ((classified * 1_000) / (Date.now() - begun)).toFixed(1);

if (!KAFKA_BROKERS) skipAloud('P13, the whole pipeline under kills: KAFKA_BROKERS is not given');
const onKafka = KAFKA_BROKERS ? describe : describe.skip;

onKafka('P13: kill -9 of any service, at any time', () => {
  let model: FakeModel;
  let server: CountingServer;
  let pipeline: PipelineProcesses;
  beforeAll(async () => {
    server = await openCountingServer(SMTP_ADDR, MAIL_CONTROL);
    await server.admit([BOOKS, ...new Set(Array.from({ length: EMAILS }, (_, n) => correspondentOf(n)))]);
    model = await startFakeModel(({ rules, email }) =>
      rules.map(({ rule_id, condition }) => {
        return { rule_id, applies: email.subject.includes(condition), confidence: 95, reason: 'it says so' };
      }),
    );
    const variables = {
      ...Object.fromEntries(BOUNDS.map((name) => [name, '100000'])),
      DEVELOPMENT_SMTP_ADDR: server.address,
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
    await Promise.all([server.close(), model.close()]);
  }, 60_000);

  it(
    'leaves every email classified, and every label, draft, reply and forward made exactly once, as the mail server saw them',
    async () => {
      const home = await prepareHome(pipeline);
      const { collections } = pipeline;
      const begun = Date.now();
      const kills: Kills = { total: 0, broker: 'steady' };
      const progress = watchProgress({
        read: () => standing(collections, home.workspaceId),
        goal: allDone(EMAILS),
        everyMs: isLong ? 5_000 : 500,
        tell: (now) =>
          process.stdout.write(
            `${new Date().toISOString()} kills=${kills.total} perSecond=${rateOf(now, begun)} ${JSON.stringify(now)}\n`,
          ),
        describe: () => unfinished(pipeline, home.workspaceId, KAFKA_BROKERS),
      });
      const killing: Killing = {
        seed,
        isOver: progress.isOver,
        stillMs: progress.stillMs,
        isHalfDone: () => (progress.now()?.classified ?? 0) >= EMAILS / 2,
        longestPauseMs: isLong ? 4_000 : 2_000,
        restartBroker: brokerRestart(),
      };
      await Promise.all([
        progress.over,
        feed(pipeline, home, EMAILS, progress),
        killAtRandom(pipeline, killing, kills),
      ]);

      const accepted = await server.accepted();
      expect(await faultsOf(collections, home.workspaceId, accepted)).toEqual([]);
      const unknown = await collections.sends.countDocuments({ workspaceId: home.workspaceId, state: 'unknown' });
      expect(kills.total).toBeGreaterThan(0);
      expect(unknown).toBeLessThanOrEqual(kills.total * 3);
      process.stdout.write(
        `P13 PASS emails=${EMAILS} kills=${kills.total} broker=${kills.broker} server=${server.name} ` +
          `accepted=${accepted.length} unknown=${unknown} lost=0 dup=0 seed=${seed}\n`,
      );
    },
    PATIENCE_MS,
  );
});
