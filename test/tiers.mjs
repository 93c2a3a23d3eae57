/** A name that ends so belongs to the deep tier: seeds, kills, enumerated orders, hostile mail, load, browsers, charts. */
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
  'test/api/(?!auth|bodies|bounds|email-body|fram|gateway|openapi|refusals|signatures|unknown)[^.]+\\.test\\.',
  'test/mail/[^.]+\\.test\\.',
  'test/mail/(fencing|moving-at-random|threads)\\.deep\\.',
  'test/scenarios/(auto-reply|changes-feed|classification|concurrent|draft-sends|filter-tree|first-slice|forward)[^.]*\\.test\\.',
  'test/scenarios/(import|loops|open-cursors|page|pending|pipeline|query|troubled|usage)[^.]*\\.test\\.',
  'test/scenarios/(crashed-gateway|label-deletion|one-trace|page-plans-rare|processes|real-addresses|services-unavailable)\\.deep\\.',
  '-store\\.test\\.ts$',
  'services/(label-rule|workspace)/',
  'services/mailbox-write/src/changes/[^.]+\\.test\\.',
  'services/outbound-send/src/sending/',
];

/** Files that another version of Node can turn red, because of sockets, streams, TLS, workers, processes, text or dates. */
const ON_RUNTIMES = [
  'libs/(client|contract|embedded|events|http|mail-server|mime|public-http|rpc|runtime|secrets)/[^.]+\\.test\\.',
  'services/[^/]+/src/(addresses|attach|compose|consents|cursors|html|http|imap|import|label-name|listen|parse)/[^.]+\\.test\\.',
  'services/[^/]+/src/(oauth|originals|pages|passkeys|passwords|program|raw|sealing|sending|signing|smtp|text|vault)/[^.]+\\.test\\.',
  'services/mailbox-(read|write)/src/(html/html-thread|parse/parse-pool)\\.deep\\.',
  'deploy/',
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
