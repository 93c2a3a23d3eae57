import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { callOf, routesInOrder } from '../api/every-call.ts';
import { populated } from '../api/populated.ts';
import { ROOT } from '../guards/sources.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { runPython, whenPythonHas } from './python.ts';

const folder = mkdtempSync(join(tmpdir(), 'postroom-generated-'));
/** The client is generated from the description of a gateway without features. */
const describedRoutes = routesInOrder.filter(({ feature }) => feature === undefined);
const it = whenPythonHas('openapi-python-client');
let sink: MailSink;
let stack: TestStack;

beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
});
afterAll(async () => {
  await stack?.close();
  await sink?.close();
  rmSync(folder, { recursive: true });
});

describe('a client in Python that was generated from the description', () => {
  it('is made whole, and makes every call', async () => {
    const made = await runPython(
      ['-m', 'openapi_python_client', 'generate', '--path', join(ROOT, 'docs/openapi.json'), '--meta', 'none'].concat(
        '--output-path',
        join(folder, 'postroom_client'),
      ),
      { cwd: folder },
    );
    // The formatter that it would like to run is not ours to have.
    expect(made.output.replaceAll(/Skipping Integration\s+ruff is not in PATH/g, '')).not.toMatch(
      /unable|skipping|error\b/i,
    );

    const { workspace, ids } = await populated(stack, 'hello');
    const calls = describedRoutes.map((route) => {
      const { params, body } = callOf(route, ids);
      return { operationId: route.operationId, params, body };
    });
    const { output } = await runPython([join(ROOT, 'test/clients/call-everything.py')], {
      cwd: folder,
      env: { PYTHONPATH: folder, POSTROOM_URL: stack.baseUrl, POSTROOM_KEY: workspace.keys.send },
      input: JSON.stringify(calls),
    });
    const expected = describedRoutes.map(({ operationId, reply: { status } }) =>
      JSON.stringify({ operationId, status, isRead: true, unknown: [] }),
    );
    const told = output
      .trim()
      .split('\n')
      .map((line) => (line.startsWith('{') ? JSON.stringify(JSON.parse(line)) : line));
    expect(told).toEqual(expected);
  }, 180_000);
});
