import { afterAll, expect, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from '@postroom/embedded/start';
import { freePort } from '@postroom/local/free-port';
import { eventually } from '../engines/eventually.ts';
import { commandLine } from '../support/command-line.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let server: EmbeddedMongo | undefined;
let started: ServiceProcess | undefined;

afterAll(async () => {
  await started?.stop();
  await server?.close();
});

it('a service whose database is away at the start lives on unready, says so once, and is ready once both it and its schema are there', async () => {
  const [port, adminPort] = [await freePort(0), await freePort(0)];
  const uri = `mongodb://127.0.0.1:${port}/postroom?directConnection=true`;
  const page = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${adminPort}${path}`);
    return `${response.status} ${(await response.text()).trim()}`;
  };
  const opening = startServiceProcess('view-filter', { MONGODB_URI: uri, GRPC_PORT: '0', ADMIN_PORT: `${adminPort}` });
  await eventually(async () => expect(await page('/livez')).toBe('200 ok'));
  await eventually(async () => expect(await page('/readyz')).toBe('503 not ready: open, database'));

  server = await startEmbeddedMongo({ port });
  started = await opening;
  const waited = started
    .said()
    .split('\n')
    .filter((line) => line.includes('does not answer'));
  expect(waited).toHaveLength(1);
  expect(started.said()).not.toContain('fatal');
  expect(await page('/readyz')).toBe('503 not ready: schema');
  await commandLine({ MONGODB_URI: uri }).json('migrate');
  expect(await page('/readyz')).toBe('200 ok');
});
