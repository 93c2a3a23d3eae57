import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ServiceName } from '@postroom/local/services';
import { openMailStore } from '@postroom/mail-store/connection';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../../engines/eventually.ts';
import { commandLine } from '../../support/command-line.ts';
import { removeTopics } from '../../support/kafka-topics.ts';
import { openMailSink } from '../../support/mail-sink.ts';
import { mountSecrets } from './environment.ts';
import { startPods, type Pods, type Version } from './pods.ts';
import { auditTraffic, startTraffic, type Traffic } from './traffic.ts';

interface RollingOptions {
  services: readonly ServiceName[];
  mongodbUri: string;
  kafkaBrokers?: string | undefined;
  redisUrl?: string | undefined;
  /** The version that runs first, and the version that replaces it. */
  before: Version;
  after: Version;
  passes: number;
  /** Whether the version before replaces the new one again at the end. The schema stays, as after a rollback with Helm. */
  isTakenBack?: boolean;
  /** The number of services that roll at once; a cluster rolls all of them. */
  atOnce: number;
  /** The minimum duration of the load. */
  lastsMs: number;
  callsPerSecond: number;
  emailsPerSecond: number;
  /** The time that a pod serves on after it is told to stop, instead of the chart's value. */
  delay?: string | undefined;
  /** The part of this time in which it still gets calls, because clients know its address for a while. */
  lateCallsMs: number;
}

const TOKEN = 'operators';
/** The service whose pod is killed, because its answers promise that mail is stored. */
const KILLED = 'mailbox-write';
/** Until then a call may still have met the connection of a pod that was killed. */
const AFTER_KILL_MS = 1_000;
const READY_WITHIN_MS = 120_000;

/** P22: every pod is replaced under load, and one is killed; no call fails and no email is lost or doubled. */
export async function rollOver(options: RollingOptions) {
  const { before, after, mongodbUri, kafkaBrokers, delay } = options;
  const context = createServiceContext({ name: 'rolling', logLevel: 'silent' });
  const folder = await mkdtemp(join(tmpdir(), 'postroom-rolling-'));
  await mountSecrets(folder, {
    MONGODB_URI: mongodbUri,
    KAFKA_BROKERS: kafkaBrokers,
    REDIS_URL: options.redisUrl,
    OPERATOR_TOKEN: TOKEN,
    MAILBOX_ACCESS_TOKEN: TOKEN,
  });
  const sink = await openMailSink();
  const prefix = `rolling${process.pid}.`;
  const variables = {
    DEVELOPMENT_SMTP_ADDR: sink.address,
    KAFKA_TOPIC_PREFIX: prefix,
    ...(delay && { SHUTDOWN_DELAY: delay }),
  };
  await migrateTo(before, mongodbUri);
  const { collections, connection } = await openMailStore({ uri: mongodbUri, needsSchema: false }, context);
  const pods = await startPods({ ...options, version: before, folder, variables });
  try {
    const traffic = await startTraffic({ ...options, isForwarded: Boolean(kafkaBrokers), pods, context, token: TOKEN });
    const begun = Date.now();
    if (before !== after) await migrateTo(after, mongodbUri);
    const codes = await replaceAll(pods, options);
    const killedAt = Date.now();
    const goneAt = await pods.killOne(KILLED, after);
    if (options.isTakenBack) codes.push(...(await replaceAll(pods, { ...options, after: before, passes: 1 })));
    await pause(Math.max(AFTER_KILL_MS, begun + options.lastsMs - Date.now()));
    await Promise.all([traffic.emails.stop(), traffic.calls.stop()]);
    const seconds = (Date.now() - begun) / 1_000;
    const audit = () => auditTraffic(traffic, collections, sink);
    await eventually(
      async () => {
        const { lost, 'forwards lost': forwardsLost } = await audit();
        if (lost || forwardsLost) throw new Error('not everything has arrived');
      },
      READY_WITHIN_MS,
      500,
    ).catch(() => undefined);
    return {
      ...reportOf(traffic, { killedAt, goneAt }),
      'calls a second': Math.round(traffic.calls.done / seconds),
      'emails a second': Math.round(traffic.sent.length / seconds),
      unclean: codes.filter((code) => code !== 0).length,
      replaced: codes.length,
      ...(await audit()),
      said: pods.said(),
    };
  } finally {
    await pods.close();
    if (kafkaBrokers) await removeTopics(kafkaBrokers.split(','), prefix);
    await connection.dropDatabase();
    await context.lifecycle.close();
    await sink.close();
    await rm(folder, { recursive: true });
  }
}

const NEVER = ['failed', 'unclean', 'lost', 'doubled', 'forwards lost', 'forwards doubled'] as const;

/** The counts that must be zero and are not. */
export function brokenOf(report: Record<(typeof NEVER)[number], number>): Record<string, number> {
  return Object.fromEntries(NEVER.map((name) => [name, report[name]] as const).filter(([, count]) => count > 0));
}

const MOST_ERRORS = 20;
const LONGEST_ERROR = 1_000;

/** The errors that pods logged. */
export function errorsOf({ said }: { said: readonly { name: string; said: string }[] }): string[] {
  const lines = said.flatMap((pod) => pod.said.split('\n').map((line) => `${pod.name}: ${line}`));
  const errors = lines.filter((line) => line.includes('"level":"error"'));
  return errors.slice(0, MOST_ERRORS).map((line) => line.slice(0, LONGEST_ERROR));
}

async function replaceAll(pods: Pods, { services, passes, atOnce, after }: RollingOptions): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (let repetition = 0; repetition < passes; repetition++) {
    // The order alternates, because a cluster guarantees no order.
    const order = repetition % 2 === 0 ? services : [...services].reverse();
    for (let at = 0; at < order.length; at += atOnce) {
      const some = order.slice(at, at + atOnce);
      codes.push(...(await Promise.all(some.map((name) => pods.replaceAll(name, after)))).flat());
    }
  }
  return codes;
}

interface Kill {
  killedAt: number;
  /** When this process, which may have been paused meanwhile, learned of it. */
  goneAt: number;
}

function reportOf({ calls, emails, sent, due }: Traffic, { killedAt, goneAt }: Kill) {
  const faults = [...emails.faults, ...calls.faults];
  const failed = faults.filter(({ begun, ended }) => ended < killedAt || begun > goneAt + AFTER_KILL_MS);
  return {
    calls: calls.done,
    emails: sent.length,
    forwards: due.length,
    failed: failed.length,
    'failed on the killed pod': faults.length - failed.length,
    reasons: failed.map(
      ({ begun, ended, what }) => `${begun - killedAt} ms from the kill, after ${ended - begun} ms: ${what}`,
    ),
  };
}

/** As the chart's Job does. */
async function migrateTo({ built }: Version, mongodbUri: string): Promise<void> {
  const env = { MONGODB_URI: mongodbUri };
  if (!built) return void (await commandLine(env).json('migrate'));
  await promisify(execFile)(process.execPath, ['services/operator/dist/postroom.js', 'migrate'], { cwd: built, env });
}
