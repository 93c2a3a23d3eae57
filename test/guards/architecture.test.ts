import { basename, dirname, join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeLines, importsOf, productSources, readRepositoryFile, repositoryFiles, type Source } from './sources.ts';

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

const sources = productSources();
const homes = [...new Set(sources.map(({ home }) => home))].filter((home) => !home.startsWith('libs/proto'));
const manifestOf = (home: string) => JSON.parse(readRepositoryFile(`${home}/package.json`)) as Manifest;
const SERVICES = homes.filter((home) => home.startsWith('services/')).map((home) => manifestOf(home).name);

/** A function of the object that a store is, by the way it is written: four spaces in, a name, its first parameter. */
const STORE_FUNCTIONS = [
  /^ {4}(?:async )?(\w+)(?:<[^>]*>)?\(\s*(\w*)(?=[^;]*?\{$)/gm,
  /^ {4}(\w+): (?:async )?(?:<[^>]*>)?\(\s*(\w*)/gm,
];
const KEYWORDS = new Set(['if', 'for', 'while', 'switch']);
/** Few, and each for a reason: no workspace is known yet, or all of them are meant. */
const ACROSS_WORKSPACES = [
  // A flush stores those of all workspaces.
  'services/gateway/src/usage/latest-store.ts: keep',
  // These queries find the workspace of a key, a recipient or a mailbox.
  'services/workspace/src/lookup/workspace-lookup-store.ts',
  'services/workspace/src/workspaces/workspace-store.ts',
  // The sweep of forgotten labels serves every workspace; what it reads carries its own.
  'services/mailbox-write/src/bodies/body-store.ts: everyEvictable',
  'services/mailbox-write/src/ingest/unfinished-store.ts: everyWorkspaces',
  'services/label-rule/src/labels/label-store.ts: everyWorkspaces',
  // So do the polls for emails that wait for their classification, and for backfills.
  'services/classifier/src/pending/pending-store.ts: everyWorkspaces',
  'services/classifier/src/backfill/backfill-store.ts: everyWorkspaces',
  // People, their sessions, passkeys and links belong to no workspace.
  'services/identity/src/people/person-store.ts',
  'services/identity/src/sessions/session-store.ts',
  'services/identity/src/sign-in-limits/attempt-store.ts',
  'services/identity/src/invitations/link-store.ts',
  'services/identity/src/passkeys/passkey-store.ts',
  'services/identity/src/oidc/oidc-store.ts',
  'services/identity/src/members/member-store.ts: every',
  // A token or a client of OAuth does not name its workspace.
  'services/identity/src/grants/token-grant-store.ts',
  'services/identity/src/oauth/record-store.ts',
  // The feed wakes those who wait in any workspace, and trims what is old of all of them.
  'services/changes/src/feed/change-store.ts: everyWorkspaces',
  // The processes that deliver share all workspaces.
  'services/webhook-delivery/src/delivering/progress-store.ts: every',
  'services/webhook-delivery/src/sharing/deliverer-store.ts: every',
  // An operator rotates the keys of all workspaces at once.
  'services/webhook-delivery/src/signing/sealed-secret-store.ts: every',
  // The sweep for lost forwards iterates over the workspaces with rules.
  'services/forwarder/src/forwards/sweep-store.ts: everyWorkspaces',
  'services/mailbox-write/src/changes/pending-store.ts: everyQuarantined',
  'services/mailbox-write/src/old-effects/old-effect-store.ts: everyWorkspaces',
  'services/mailbox-write/src/remains/remains-store.ts: everyWorkspaces',
  // One worker claims the due sends of every workspace; each send carries its workspace.
  'services/outbound-send/src/stored-sends/due-send-store.ts: ',
  // A process keeps mailboxes of any workspaces; each mailbox carries its workspace.
  'services/mailbox-sync/src/leases/lease-store.ts',
  'services/mailbox-sync/src/mailboxes/synced-mailbox-store.ts: every',
  'services/mailbox-sync/src/leases/sync-request-store.ts: take',
  'services/mailbox-sync/src/pending/pending-change-store.ts: every',
  // Sealing keys are rotated for every workspace at once.
  'services/workspace/src/vault/credential-store.ts: every',
  // Documents that carry their workspace, and a count for a metric.
  'services/gateway/src/limits/month-floor-store.ts: keepAll',
  'services/mailbox-write/src/ingest/email-store.ts: insert',
  'services/mailbox-write/src/outgoing/pending-copy-store.ts: keep',
  'services/mailbox-write/src/reconcile/removal-store.ts: putLinkBack',
  'services/mailbox-write/src/quarantine/quarantine-store.ts: insert',
  'services/mailbox-write/src/quarantine/quarantine-store.ts: countAll',
];

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const packagesOf = (files: Source[]) => [
  ...new Set(
    files
      .flatMap(importsOf)
      .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map(packageName),
  ),
];
const inFiles = (faults: string[]) => expect(faults).toEqual([]);
const faultsIn = (wanted: (source: Source) => boolean, fault: (line: string) => boolean) =>
  sources.filter(wanted).flatMap((source) =>
    codeLines(source)
      .filter(({ line }) => fault(line))
      .map(({ number }) => `${source.path}:${number}`),
  );

describe('the writer of a collection', () => {
  it('a service opens the database under its own name, and so writes its own collections alone', () => {
    const opened = sources
      .filter(({ home, path }) => home.startsWith('services/') && path.endsWith('/service.ts'))
      .flatMap(({ home, text }) =>
        [...text.matchAll(/\bopenMailStore(?:For)?\(\s*(?:'([\w-]+)')?/g)].map(([, name]) => `${home}: ${name}`),
      );
    inFiles(opened.filter((line) => line !== `${line.split(':')[0]}: ${line.split(/[/:]/)[1]}`));
    expect(opened.length).toBeGreaterThan(8);
  });

  it('no store takes collections that it does not name', () => {
    inFiles(
      faultsIn(
        ({ home, path }) => home.startsWith('services/') && path.endsWith('-store.ts'),
        (line) => /mail-store\/collections'/.test(line),
      ),
    );
  });
});

describe('the imports of a package', () => {
  it('finds the sources it guards', () => {
    expect(sources.length).toBeGreaterThan(80);
    expect(SERVICES).toContain('@postroom/gateway');
  });

  it('no service imports a service, and no lib does', () => {
    inFiles(
      sources
        .filter(({ home }) => !home.startsWith('deploy/'))
        .flatMap((source) =>
          importsOf(source)
            .filter((specifier) => SERVICES.includes(packageName(specifier)))
            .map((specifier) => `${source.path} imports ${specifier}`),
        ),
    );
  });

  it('no import climbs out of its own package', () => {
    inFiles(
      sources.flatMap((source) =>
        importsOf(source)
          .filter((specifier) => specifier.startsWith('.'))
          .filter((specifier) => !posix.join(dirname(source.path), specifier).startsWith(`${source.home}/src/`))
          .map((specifier) => `${source.path} imports ${specifier}`),
      ),
    );
  });

  it.each(homes)('%s declares what it imports and nothing else', (home) => {
    const imported = packagesOf(sources.filter((source) => source.home === home));
    // Some are not imported: an asset's folder is resolved, a loader is named on a command line.
    const text = repositoryFiles(home)
      .filter((path) => /\.m?ts$|\.mjs$/.test(path))
      .map(readRepositoryFile)
      .join('\n');
    const declared = Object.keys(manifestOf(home).dependencies ?? {});

    expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
    expect(declared.filter((name) => !text.includes(name))).toEqual([]);
  });
});

describe('where things stand', () => {
  it('only config.ts reads the environment', () => {
    inFiles(
      faultsIn(
        ({ path }) => basename(path) !== 'config.ts',
        (line) => line.includes('process.env'),
      ),
    );
  });

  it('only a store queries the database', () => {
    const query =
      /\.(find|findOne|findOneAndUpdate|findOneAndDelete|insertMany|insertOne|updateOne|updateMany|deleteOne|deleteMany|bulkWrite|aggregate|countDocuments|distinct)\(\s*[{[]/;
    const isStore = (path: string) =>
      path.endsWith('-store.ts') || path.startsWith('libs/mail-store/') || path.startsWith('libs/embedded/');
    inFiles(
      faultsIn(
        ({ path }) => !isStore(path),
        (line) => query.test(line),
      ),
    );
  });

  it.each([
    ['auditEntries', 'audit-store.ts'],
    ['deadLetters', 'dead-letter-store.ts'],
  ])('only one store writes %s, which every service may write', (collection, store) => {
    const writes = new RegExp(`${collection}\\s*\\.\\s*(?:insert|update|delete|bulkWrite|findOneAnd)\\w*\\(`);
    const isStore = (path: string) => path === `libs/mail-store/src/${store}`;
    inFiles(
      faultsIn(
        ({ path }) => !isStore(path),
        (line) => writes.test(line),
      ),
    );
  });

  it('every store function takes the workspace first', () => {
    inFiles(
      sources
        .filter(({ path }) => path.startsWith('services/') && path.endsWith('-store.ts'))
        .flatMap(({ path, text }) =>
          STORE_FUNCTIONS.flatMap((form) => [...text.matchAll(form)])
            .filter(([, name, first]) => name !== undefined && !KEYWORDS.has(name) && first !== 'workspaceId')
            .map(([, name]) => `${path}: ${name}`),
        )
        .filter((name) => !ACROSS_WORKSPACES.some((allowed) => name.startsWith(allowed))),
    );
  });

  it('gRPC numbers stand in libs/errors and libs/rpc alone', () => {
    const allowed = ['libs/errors', 'libs/rpc'];
    inFiles(
      faultsIn(
        ({ home }) => !allowed.includes(home),
        (line) => /\bstatus\.[A-Z]{2,}_?[A-Z]*\b/.test(line),
      ),
    );
  });

  it('HTTP numbers stand in libs/errors, the gateway, the app, the servers of MCP and OAuth, and the client alone', () => {
    // The admin port speaks to Kubernetes, outside of the contract.
    const allowed = (path: string) =>
      /^(libs\/(errors|client)|services\/(gateway|app|mcp|identity\/src\/oauth)|deploy\/local)\/|\/admin-server\.ts$/.test(
        path,
      );
    const number =
      /\b(http|status|statusCode|httpStatus)['"]?\s*(:|[=!<>]=*)\s*[1-5]\d\d\b|\bwriteHead\(\s*[1-5]\d\d\b/;
    inFiles(
      faultsIn(
        ({ path }) => !allowed(path) && !path.includes('.test-support.'),
        (line) => number.test(line),
      ),
    );
  });

  it('no folder is a drawer for anything', () => {
    const drawers = /(^|\/)(utils?|helpers?|common|manager|misc)(\.ts|\/)/;
    inFiles(repositoryFiles().filter((path) => drawers.test(path)));
  });

  it('no barrel files', () => {
    inFiles(sources.filter(({ path }) => basename(path) === 'index.ts').map(({ path }) => path));
  });
});

const opensRpcs = ({ path, text }: Source) => path.endsWith('/src/service.ts') && text.includes('implement(');

describe('a service folder', () => {
  it.each(sources.filter(opensRpcs).map(({ home }) => home))(
    '%s says in deps.ts what its handlers are handed',
    (home) => {
      const present = sources.filter((source) => source.home === home).map(({ path }) => path);
      for (const file of ['deps.ts', 'handlers.ts']) expect(present).toContain(join(home, 'src', file));
    },
  );

  it('makes its stores in service.ts, or in stores.ts where there are many', () => {
    inFiles(
      faultsIn(
        ({ path }) =>
          path.startsWith('services/') && !/\/(service|stores)\.ts$/.test(path) && !path.includes('/operator/'),
        (line) => /\bcreate\w+Store\((?!\{)\w/.test(line) && !line.includes('function '),
      ),
    );
  });

  it.each(homes.filter((home) => home.startsWith('services/')))('%s has main, config and service', (home) => {
    const present = sources.filter((source) => source.home === home).map(({ path }) => path);
    for (const file of ['main.ts', 'config.ts', 'service.ts']) expect(present).toContain(join(home, 'src', file));
  });
});
