import { describe, expect, it } from '@jest/globals';
import { codeLines, productSources } from './sources.ts';

/** Reads of time, timers and randomness. A test can control the clock and the ids of the context, but not these. */
const UNTESTABLE =
  /\bDate\.now\(|\bnew Date\(\)|\bset(Timeout|Interval)\(|timers\/promises|\bMath\.random\(|\brandom(UUID|Bytes|Int|FillSync)\b/;

/** A folder or a file, and why it may. */
const EXCEPTIONS: Record<string, string> = {
  'libs/runtime/src/clock.ts': 'the clock itself',
  'libs/runtime/src/ids.ts': 'the ids themselves',
  'services/workspace/src/keys/secret.ts': 'a key must not come from a seed',
  'services/identity/src/passwords/passwords.ts': 'nor a salt',
  'libs/secrets/': 'neither must a key that seals',
  'libs/contract/src/webhook-signature.ts': 'nor one that signs',
  'libs/runtime/src/tracing.ts': 'which requests are sampled decides nothing',
  'libs/runtime/src/process-metrics.ts': "the process's age is the system's",
  'libs/client/': 'it runs in programs of other people',
  'libs/embedded/': 'a server of its own, that stands for MongoDB',
  'deploy/local/': 'for development, in real time only',
  'libs/rpc/src/connect.ts': "gRPC counts by the system's clock",
  'libs/rpc/src/incoming-call.ts': "gRPC counts by the system's clock",
  // A watch over what may hang, and a clock that stands still would never let go of it.
  'libs/rpc/src/answer.ts': 'watch',
  'libs/rpc/src/streams/': 'watch',
  'libs/runtime/src/log.ts': 'watch',
  'libs/runtime/src/run.ts': 'watch',
  'libs/runtime/src/response-watchdog.ts': 'watch',
  'libs/events/src/deliver.ts': 'watch',
  'libs/events/src/kafka-': 'watch, and what kafkajs counts',
  'libs/events/src/kafkajs-patch.ts': 'what kafkajs counts',
  'services/app/src/http/within-memory.ts': 'watch over a socket',
  'services/gateway/src/http/': 'watches over sockets and requests, and how late the process itself is',
  'libs/runtime/src/worker-thread.ts': 'watch over a thread',
  'services/mailbox-write/src/parse/watchdog.ts': 'watch over a thread',
};

const found = productSources()
  .filter(({ path }) => !path.includes('.test-support.'))
  .flatMap((source) =>
    codeLines(source)
      .filter(({ line }) => UNTESTABLE.test(line))
      .map(({ number }) => ({ path: source.path, number })),
  );
const allowed = Object.keys(EXCEPTIONS);

describe('signals that live long', () => {
  it('are never given to AbortSignal.any, which keeps memory on Node 20 until they are gone', () => {
    const faults = productSources().flatMap((source) =>
      codeLines(source)
        .filter(({ line }) => line.includes('AbortSignal.any('))
        .map(({ number }) => `${source.path}:${number}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('time and chance come from the context', () => {
  it('everywhere but where a reason is named', () => {
    const faults = found.filter(({ path }) => !allowed.some((prefix) => path.startsWith(prefix)));
    expect(faults.map(({ path, number }) => `${path}:${number}`)).toEqual([]);
  });

  it('and no exception stands that nothing needs', () => {
    expect(allowed.filter((prefix) => !found.some(({ path }) => path.startsWith(prefix)))).toEqual([]);
  });
});
