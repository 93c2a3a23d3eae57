/** A name that ends so belongs to the deep tier: seeds, kills, enumerated orders, hostile mail, load. */
const DEEP = '\\.deep\\.test\\.ts$';

/** These stop the engines, so they run when no other test uses them. */
const OUTAGES = 'test/faults/engines';

/** Files that a real MongoDB, Kafka or Redis can turn red, because they store, query, count or publish. */
const ON_ENGINES = [
  'test/bench/',
  'test/engines/',
  'test/faults/(relay|sends)\\.deep\\.',
  'test/fuzz/fuzz\\.deep\\.',
  'test/migration/',
  'test/api/',
  'test/mail/[^.]+\\.test\\.',
  // Two of them start processes without an engine.
  'test/scenarios/(?!configuration|npm-start)[^.]+\\.test\\.',
  'test/scenarios/(crashed-gateway|page-plans-rare|processes|services-away)\\.deep\\.',
  '-store\\.test\\.ts$',
  'services/(label-rule|workspace)/',
  'services/mailbox-write/src/changes/',
  'services/outbound-send/src/sending/',
];

/** Files that another version of Node can turn red, because of sockets, streams, TLS, workers, processes, text or dates. */
const ON_RUNTIMES = [
  '(libs|services|deploy)/[^.]+\\.test\\.',
  'test/api/(auth|bodies|email-body|fram|gateway|idempotency|openapi|unknown)',
  'test/engines/mongo',
  'test/mail/(hostile-imap|ingest|second-parser|smtp)\\.',
  'test/scenarios/(command-line\\.|first-slice|foreign-client|gmail|large-mails|npm-start|processes|real-addresses|traces|wire)',
];

/** The files of each command, as arguments of jest. */
export const TIERS = {
  quick: without(DEEP),
  // Load and kills are judged by how fast others are answered, so fewer files run side by side than in the quick tier.
  deep: ['--maxWorkers=3', '--testPathPatterns', DEEP],
  engines: ['--maxWorkers=2', ...without(OUTAGES), '--testPathPatterns', ...ON_ENGINES],
  outages: ['--runInBand', '--testPathPatterns', OUTAGES],
  // In CI they run beside a cluster and mail servers, which wait more than they work and keep a core.
  runtime: ['--maxWorkers=2', '--testPathPatterns', ...ON_RUNTIMES],
};

function without(pattern) {
  return ['--testPathIgnorePatterns', '/node_modules/', '/dist/', pattern];
}
