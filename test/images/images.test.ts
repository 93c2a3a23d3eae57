import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { render, serviceNames } from '../chart/helm.ts';
import { environmentOf, podOf, workloadOf } from '../chart/objects.ts';
import { eventually } from '../engines/eventually.ts';
import { commandLine } from '../support/command-line.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { skipAloud } from '../support/skips.ts';
import { withNeededVariables } from '../support/process-variables.ts';

const ROOT = join(__dirname, '../..');
const { TEST_IMAGES, NODE_IMAGE, RUNTIME_IMAGE, ONLY = '' } = process.env;
const engine = ['podman', 'docker'].find((name) => spawnSync(name, ['version']).status === 0);
const lacking = !TEST_IMAGES || !engine;
if (lacking) skipAloud('the images: "npm run test:images" builds and runs them, where there is podman or docker');

/** Stand in place of the Dockerfile's where its registries cannot be reached. */
const bases = Object.entries({ NODE_IMAGE, RUNTIME_IMAGE }).flatMap(([name, image]) =>
  image ? ['--build-arg', `${name}=${image}`] : [],
);
const ask = async (...args: string[]) =>
  (await promisify(execFile)(engine ?? '', args, { cwd: ROOT, maxBuffer: 1 << 28 })).stdout.trim();
const BUILT_WITHIN_MS = 1_800_000;
const names = serviceNames.filter((name) => !ONLY || ONLY.split(',').includes(name));
const imageOf = (name: string) => `postroom-${name}:test`;

(lacking ? describe.skip : describe).each(names)('the image of %s', (name) => {
  const image = imageOf(name);
  const pod = workloadOf(render(), name);
  const mongodbUri = freshDatabaseUri();
  let container = '';
  let adminPort = 0;

  beforeAll(async () => {
    await ask('build', '-q', '-f', 'deploy/Dockerfile', '--build-arg', `SERVICE=${name}`, ...bases, '-t', image, '.');
    await commandLine({ MONGODB_URI: mongodbUri }).json('migrate');
    adminPort = await freePort(0);
  }, BUILT_WITHIN_MS);
  afterAll(async () => {
    if (container) await ask('rm', '-f', container);
  });

  it('is for a numeric user, and has no shell', async () => {
    expect(await ask('image', 'inspect', '-f', '{{.Config.User}}', image)).toBe('10001:10001');
    await expect(ask('run', '--rm', '--entrypoint', '/bin/sh', image, '-c', 'true')).rejects.toThrow();
    const megabytes = Number(await ask('image', 'inspect', '-f', '{{.Size}}', image)) / 1e6;
    const layers = (await ask('history', '--format', '{{.Size}}', image)).split('\n');
    const own = layers.find((size) => !/^0 ?B$/.test(size));
    process.stdout.write(`${name}: ${megabytes.toFixed(0)} MB, ${own} of its own\n`);
  });

  it('answers its probes read-only, without capabilities and within its memory, and ends with 0 when told to', async () => {
    const { containers, terminationGracePeriodSeconds } = podOf(pod);
    const memory = (containers[0]?.resources.limits?.memory ?? '').replace('Mi', 'm');
    const variables = Object.entries({ ...(await environmentHere()), ADMIN_PORT: `${adminPort}` });
    const given = variables.flatMap(([variable, value]) => ['-e', `${variable}=${value}`]);
    const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    container = await ask('run', '-d', '--network', 'host', '--memory', memory, ...limits, ...given, image);
    const page = async (path: string) => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
    await eventually(async () => expect(await page('/livez')).toBe('ok\n'), 60_000);
    await eventually(async () => expect(await page('/readyz')).toBe('ok\n'), 60_000);
    await ask('stop', '-t', `${terminationGracePeriodSeconds}`, container);
    expect(await ask('inspect', '-f', '{{.State.ExitCode}} {{.State.OOMKilled}}', container)).toBe('0 false');
  }, 240_000);

  /** The environment that the chart sets, with the MongoDB of this machine and without mounted files. */
  async function environmentHere(): Promise<Record<string, string>> {
    const own = { MONGODB_URI: mongodbUri, OPERATOR_TOKEN: 'operators', MAILBOX_ACCESS_TOKEN: 'access' };
    const ports = ['GRPC_PORT', 'HTTP_PORT', 'OPERATOR_PORT'].map(async (port) => [port, `${await freePort(0)}`]);
    const chart = Object.entries(environmentOf(pod)).filter(([, value]) => !value.startsWith('/etc/postroom'));
    return {
      ...Object.fromEntries(chart),
      ...Object.fromEntries(await Promise.all(ports)),
      ...(await withNeededVariables(own)),
      HOST: '127.0.0.1',
    };
  }
});

(lacking || names.length < 2 ? describe.skip : describe)('the images of all services', () => {
  it('are one but for their last layer, which a node fetches for each', async () => {
    const inspected = names.map((name) => ask('image', 'inspect', '-f', '{{json .RootFS.Layers}}', imageOf(name)));
    const layers = (await Promise.all(inspected)).map((text) => JSON.parse(text) as string[]);
    expect(new Set(layers.map((of) => of.slice(0, -1).join())).size).toBe(1);
    expect(new Set(layers.map((of) => of.at(-1))).size).toBe(names.length);
  });
});
