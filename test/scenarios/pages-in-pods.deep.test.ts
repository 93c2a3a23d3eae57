import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import type { ServiceName } from '@postroom/local/services';
import { openMailStore } from '@postroom/mail-store/connection';
import { createServiceContext } from '@postroom/runtime/service-context';
import { describeChart } from '../chart/describe-chart.ts';
import { hasHelm, render } from '../chart/helm.ts';
import { ofKind, workloadOf } from '../chart/objects.ts';
import { asksPods, blocksOfPages } from '../chart/pages.ts';
import { mountSecrets, podEnvironment } from '../faults/rolling/environment.ts';
import { startPods, type Pods } from '../faults/rolling/pods.ts';
import { productSources, ROOT } from '../guards/sources.ts';
import { commandLine } from '../support/command-line.ts';
import { freshDatabaseUri } from '../support/database.ts';

const isForward = (line: string) => line.includes(' port-forward ');
/** They need services that the chart has switched off. The scenarios of the command line try these commands. */
const SWITCHED_OFF = /postroom\.js (?:webhook|agents (?:list|revoke)) /;
/** Each line runs alone, but a block with a port-forward runs as a whole, because its other lines use the port. */
const blocks = (hasHelm ? blocksOfPages() : [])
  .filter(([, lines]) => asksPods(lines))
  .flatMap(([page, lines]) =>
    lines.some(isForward) ? [[page, lines] as const] : lines.map((line) => [page, [line]] as const),
  )
  .filter(([, lines]) => !lines.some((line) => SWITCHED_OFF.test(line)))
  .filter(([, lines], at, all) => all.findIndex(([, others]) => others.join() === lines.join()) === at);
/** The services whose logs and ports the lines use. */
const services: ServiceName[] = ['workspace', 'mailbox-write', 'outbound-send', 'classifier', 'gateway'];
const TROUBLE = /\blogs .*\| grep (?:-\w+ )?'?([^']+)'?$/;

interface Ran {
  code: number;
  output: string;
  error: string;
}

describeChart('what pages tell people to type to pods', () => {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const mongodbUri = freshDatabaseUri();
  let folder: string;
  let pods: Pods;
  let workspaceId = '';
  let mailboxId = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postroom-pages-'));
    const objects = render({ asDelivered: true, set: ['defaults.replicas=1', 'defaults.shutdown.delaySeconds=0'] });
    const tokens = { OPERATOR_TOKEN: 'operators', MAILBOX_ACCESS_TOKEN: 'access' };
    await mountSecrets(folder, { MONGODB_URI: mongodbUri, ...tokens });
    await commandLine({ MONGODB_URI: mongodbUri }).json('migrate');
    const version = { objects, built: undefined };
    pods = await startPods({ services, version, folder, variables: {}, lateCallsMs: 0 });
    const told = services.map((name) => {
      const [{ spec } = { spec: { ports: [] } }] = ofKind(objects, 'Service').filter(({ metadata }) =>
        metadata.name.endsWith(`-${name}`),
      );
      const ip = /ipv4:([\d.]+)/.exec(pods.addressOf(name, '1'))?.[1];
      const ports = Object.fromEntries((spec.ports ?? []).map(({ port }) => [port, port === 80 ? 8080 : port]));
      return [`postroom-${name}`, { ip, ports, said: join(folder, name) }] as const;
    });
    const env = podEnvironment(workloadOf(objects, 'operator'), folder, pods.addressOf);
    const operator = { env, said: join(folder, 'operator') };
    await writeFile(operator.said, '');
    await writeFile(
      join(folder, 'pods'),
      JSON.stringify({ ...Object.fromEntries(told), 'postroom-operator': operator }),
    );
    const kubectl = join(folder, 'kubectl');
    await writeFile(kubectl, `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'test/support/kubectl.mjs')} "$@"\n`);
    await chmod(kubectl, 0o755);
    const made = async (what: string) => {
      const program = 'kubectl -n mail exec deploy/postroom-operator -- node services/operator/dist/postroom.js';
      return (JSON.parse((await typed([`${program} ${what} --json`])).output) as { id: string }).id;
    };
    workspaceId = await made('workspace create --name Acme --plan premium');
    mailboxId = await made('mailbox connect --workspace ID --email ann@acme.example');
  });
  afterAll(async () => {
    await pods.close();
    const { connection } = await openMailStore({ uri: mongodbUri, needsSchema: false }, context);
    await connection.dropDatabase();
    await context.lifecycle.close();
    await rm(folder, { recursive: true });
  });

  /** Runs lines in a shell, and replaces the port of the page with one that is free on this machine. */
  async function typed(lines: readonly string[]): Promise<Ran> {
    const port = await freePort(0);
    const here = lines.map((line) =>
      line
        .replace(/(port-forward \S+) (?:\d+:)?(\d+)/, `$1 ${port}:$2`)
        .replace(/localhost:\d+/, `localhost:${port}`)
        .replace('--workspace ID', `--workspace ${workspaceId}`)
        .replace('--mailbox ID', `--mailbox ${mailboxId}`),
    );
    for (const { name, said } of pods.said()) await writeFile(join(folder, name), said);
    const script = ['set -eo pipefail', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", ...here].join('\n');
    const env = {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      PODS: join(folder, 'pods'),
    };
    return new Promise((resolve) => {
      execFile('bash', ['-c', script], { cwd: ROOT, env, timeout: 60_000 }, (error, output, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output, error: stderr }),
      );
    });
  }

  it.each(blocks)('works (%s: %j)', async (_page, lines) => {
    const last = lines.at(-1) ?? '';
    const isForward = last.includes(' port-forward ');
    const { code, output, error } = await typed(
      isForward
        ? [`${last} &`, 'curl -sf --retry 5 --retry-connrefused localhost:8080/docs | grep -i postroom']
        : lines,
    );
    expect(error).toBe('');
    // A search for trouble finds nothing while all is well.
    if (last.includes('| grep ') && code === 1) expect(output).toBe('');
    else expect([code, output]).toEqual([0, expect.stringMatching(/\S/)]);
  });

  it.each(blocks.flatMap(([, lines]) => lines.flatMap((line) => TROUBLE.exec(line)?.[1] ?? [])))(
    'finds in logs what is said there (%s)',
    (pattern) => {
      const said = productSources().flatMap(({ text }) => [
        ...text.matchAll(/\blog(?:\.(warn|error|info)|\[level\])\([^;]*?['`]([^'`]+)['`],?\s*\)/g),
      ]);
      const lines = said.map(([, level, message]) => `"level":"${level}" ${message}`);
      expect(lines.some((line) => new RegExp(pattern, 'i').test(line))).toBe(true);
    },
  );
});
