/** A name that ends so belongs to the deep tier: seeds, kills, enumerated orders, hostile mail, load, browsers, charts. */
const DEEP = '\\.deep\\.test\\.ts$';

/** These stop the engines, so they run when no other test uses them. */
const OUTAGES = 'test/faults/engines';

/**
 * Files that a real MongoDB, Kafka or Redis can turn red, because they store, query, count or publish in a way that no other of them
 * does. The fuzzer calls every endpoint there, and compares each answer with a model of the contract.
 */
const ON_ENGINES = [
  'test/bench/',
  'test/engines/(bus|flood|kafka|limiter|mongo|rebalance|redis|secured|two-gateways)[^.]*\\.test\\.',
  'test/engines/(changed-secrets|mongo-limits)\\.deep\\.',
  'test/faults/(relay|sends)\\.deep\\.',
  'test/fuzz/fuzz\\.deep\\.',
  'test/migration/',
  'test/api/(bulk|changes|emails-list|emails-search|filters|idempotency|labels|limits|threads|views|webhook-deliveries)\\.test\\.',
  'test/mail/(evicted|ingest|locations|outbox|overtaken|own-copies|pending|provider)[^.]*\\.test\\.',
  'test/mail/(fencing|threads)\\.deep\\.',
  'test/scenarios/(changes-feed|classification|concurrent|filter-tree|first-slice|forward-log|import)[^.]*\\.test\\.',
  'test/scenarios/(open-cursors|page|pending|pipeline|query|usage)[^.]*\\.test\\.',
  'test/scenarios/(one-trace|page-plans-rare|processes|real-addresses)\\.deep\\.',
  '-store\\.test\\.ts$',
  'services/label-rule/src/(backfills|forgetting|labels)/',
  'services/workspace/src/(access|consents|keys|mailboxes)/',
  'services/mailbox-write/src/changes/(bulk|pending|record)[^.]+\\.test\\.',
  'services/outbound-send/src/sending/(forward|preconditions|sender)',
];

/**
 * Files of the quick tier that another version of Node can turn red, because of sockets, streams, TLS, workers, processes or text.
 * In CI the deep tier runs on the newest version, with every service in it.
 */
const ON_RUNTIMES = [
  'libs/(client|events|http|mail-server|mime|public-http|rpc|runtime|secrets)/[^.]+\\.test\\.',
  'services/[^/]+/src/(addresses|cursors|http|imap|import|label-name|listen|parse|passkeys|passwords)/[^.]+\\.test\\.',
  'services/[^/]+/src/(program|raw|sealing|signing|smtp|text|vault)/[^.]+\\.test\\.',
  'test/api/(bodies|framing|gateway|unknown)',
  'test/engines/mongo-(client|sessions)\\.',
  'test/scenarios/(command-line\\.|first-slice|foreign-client|wire)',
];

/** The files of each command, as arguments of jest. */
export const TIERS = {
  quick: without(DEEP),
  // Load and kills are judged by how fast others are answered, so fewer files run side by side than in the quick tier.
  deep: ['--maxWorkers=3', '--testPathPatterns', DEEP],
  engines: ['--maxWorkers=2', ...without(OUTAGES), '--testPathPatterns', ...ON_ENGINES],
  outages: ['--runInBand', '--testPathPatterns', OUTAGES],
  // In CI they run beside a cluster and mail servers, which wait more than they work and keep a core.
  runtime: ['--maxWorkers=2', ...without(DEEP), '--testPathPatterns', ...ON_RUNTIMES],
};

function without(pattern) {
  return ['--testPathIgnorePatterns', '/node_modules/', '/dist/', pattern];
}
