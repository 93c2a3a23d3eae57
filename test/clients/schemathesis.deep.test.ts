import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { populated } from '../api/populated.ts';
import { ROOT } from '../guards/sources.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { runPython, whenPythonHas } from './python.ts';

/** Examples for each operation. The test takes minutes, so it runs only when this variable is set. */
const EXAMPLES = process.env['SCHEMATHESIS_EXAMPLES'];
const it = whenPythonHas('schemathesis', EXAMPLES !== undefined);
/** schemathesis writes its findings here. */
const folder = mkdtempSync(join(tmpdir(), 'postroom-schemathesis-'));
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

/** Ours in place of one of theirs; and undeclared methods are 404 here, where it wants 405. */
const EXCLUDED = 'positive_data_acceptance,unsupported_method';

describe('schemathesis', () => {
  it('finds nothing, in any of its phases', async () => {
    const { workspace } = await populated(stack, 'hello');
    const args = [
      'run',
      join(ROOT, 'docs/openapi.json'),
      '--url',
      stack.baseUrl,
      '-H',
      `Authorization: Bearer ${workspace.keys.send}`,
    ]
      .concat('--phases', 'examples,coverage,fuzzing,stateful', '--exclude-checks', EXCLUDED, '--rate-limit', '950/m')
      .concat('--max-examples', EXAMPLES ?? '', '--seed', '1', '--no-color')
      .concat('--suppress-health-check', 'all', '--request-timeout', '60');
    const env = { SCHEMATHESIS_HOOKS: 'schemathesis_hooks', PYTHONPATH: __dirname };
    const { code, output } = await runPython(
      ['-m', 'schemathesis.cli', '--config-file', join(__dirname, 'schemathesis.toml'), ...args],
      { cwd: folder, env },
    );
    expect(code === 0 ? '' : output).toBe('');
    expect(output).toContain('Stateful');
  }, 900_000);
});
