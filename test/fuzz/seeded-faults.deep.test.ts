import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import fc from 'fast-check';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { apiClient, type Json } from '../support/client.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { openFalsifier, type Falsify } from './falsify.ts';
import { anyRequest } from './requests.ts';
import { runSequence } from './sequence.ts';
import { makeSmaller, type Failure } from './smaller.ts';

const SEQUENCES = 12;
const LENGTH = 60;

/** Each kind of fault that the fuzzer is there for: how it would look to a caller, and in what words it is found. */
const faults: Record<string, () => { falsify: Falsify; found: RegExp }> = {
  'the code of another resource': () => ({
    falsify: ({ path, status, body }) => {
      if (status === 404 && path.startsWith('/views/')) body.code = 'RULE_NOT_FOUND';
    },
    found: /code.* must be equal to one of the allowed values/,
  }),
  'a status that the call does not have': () => ({
    falsify: (answer) => {
      if (answer.status === 201) answer.status = 200;
    },
    found: /the status 200 is not one of/,
  }),
  'a header that is missing on refusals': () => ({
    falsify: ({ status, headers }) => status === 400 && headers.delete('x-ratelimit-reset'),
    found: /the header x-ratelimit-reset is missing/,
  }),
  'an error in HTML': () => ({
    falsify: (answer) => {
      if (answer.status === 404) answer.text = '<h1>Not found</h1>';
    },
    found: /Unexpected token|not valid JSON/,
  }),
  'a 500': () => ({
    falsify: (answer) => {
      if (answer.status !== 204) return;
      Object.assign(answer, { status: 500, body: { code: 'INTERNAL_ERROR', error: 'Something went wrong.' } });
      answer.headers.set('content-type', 'application/json; charset=utf-8');
      answer.headers.set('retry-after', '1');
    },
    found: /^500 /,
  }),
  'a field that nobody described': () => ({
    falsify: ({ body }) => {
      if (body?.label) body.label.workspaceId = 'wsp_1';
    },
    found: /must NOT have additional properties/,
  }),
  "another workspace's label in a list": () => {
    let theirs: Json;
    return {
      falsify: ({ method, path, status, body }) => {
        if (status === 201 && path === '/labels') theirs ??= body.label;
        if (theirs && method === 'GET' && path === '/labels' && status === 200) body.items.push(theirs);
      },
      found: /all of \/labels/,
    };
  },
  'a page that repeats an email of the page before': () => {
    let last: Json;
    return {
      falsify: ({ method, path, status, body }) => {
        if (method !== 'GET' || status !== 200 || !path.startsWith('/emails?limit=4')) return;
        if (path.includes('cursor=')) body.items[0] = last;
        last = body.items.at(-1);
      },
      found: /the emails of all pages/,
    };
  },
  'a list that forgets what was made': () => ({
    falsify: ({ method, path, status, body }) => {
      if (method === 'GET' && path === '/views' && status === 200) body.items.pop();
    },
    found: /all of \/views/,
  }),
  'a counter that is off by one': () => ({
    falsify: ({ method, headers }) => {
      const name = 'x-ratelimit-quota-remaining';
      if (method === 'DELETE' && headers.has(name)) headers.set(name, String(Number(headers.get(name)) - 1));
    },
    found: /what is left of the minute and the month/,
  }),
  'a bulk call that says it did what it did not': () => ({
    falsify: ({ path, status, body }) => {
      if (path !== '/emails/bulk' || status !== 200) return;
      if (body.updatedCount !== undefined) body.updatedCount += 1;
      else if (body.updatedIds) [body.updatedIds, body.unchangedIds] = [body.unchangedIds, body.updatedIds];
      else [body.deletedIds, body.noTrashIds] = [body.noTrashIds, body.deletedIds];
    },
    found: /the result of/,
  }),
};

let sink: MailSink;
let stack: TestStack;
let between: Awaited<ReturnType<typeof openFalsifier>>;

beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  between = await openFalsifier(stack.baseUrl);
});
afterAll(async () => {
  await between?.close();
  await stack?.close();
  await sink?.close();
});

const it = whenDatabaseHas('projections', 'expressions');

describe('the fuzzer finds', () => {
  const sequences = fc.sample(fc.array(anyRequest, { minLength: LENGTH, maxLength: LENGTH, size: 'max' }), {
    seed: 1,
    numRuns: SEQUENCES,
  });
  const client = (key: string) => apiClient(between.baseUrl, key);
  const workspace = () => createTestWorkspace({ ...stack, client });
  const ask = async (sequence: (typeof sequences)[number]): Promise<string | undefined> =>
    runSequence({ ...stack, workspace }, sequence, () => {}).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );

  it('nothing where nothing is wrong', async () => {
    between.falsify(() => {});
    expect(await ask(sequences[0] ?? [])).toBeUndefined();
  });

  it.each(Object.keys(faults))('%s', async (name) => {
    const { falsify, found } = faults[name]!();
    between.falsify(falsify);
    let message: string | undefined;
    for (const sequence of sequences) if ((message = await ask(sequence)) !== undefined) break;
    const [fault, after] = message?.split('\nafter:\n') ?? [];
    expect(fault).toMatch(found);
    expect(after).toContain('curl -X ');
  });

  it('the smallest that shows it, with lines that repeat it in any workspace', async () => {
    between.falsify(({ method, path, status, body }) => {
      if (method === 'PATCH' && path.startsWith('/labels/') && status === 200) body.label.workspaceId = 'wsp_1';
    });
    let failure: Failure | undefined;
    for (const sequence of sequences) {
      const message = await ask(sequence);
      if (message !== undefined) failure = { message, sequence };
      if (failure) break;
    }
    const { message, sequence } = await makeSmaller(failure as Failure, ask, Infinity);
    expect(sequence.map(({ operationId }) => operationId)).toEqual(['createLabel', 'updateLabel']);
    const { keys } = await workspace();
    const variables = { API: between.baseUrl, SEND_KEY: keys.send, READ_KEY: keys.read };
    expect(await runShell(message.split('\nafter:\n')[1] ?? '', variables)).toContain('"workspaceId":"wsp_1"');
  });
});

/** As somebody would who has pasted the lines. */
async function runShell(lines: string, variables: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', lines], { env: { ...process.env, ...variables } });
  return stdout;
}
