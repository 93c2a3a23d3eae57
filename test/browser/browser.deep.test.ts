import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { transformSync } from '@swc/core';
import type { Browser, Page } from 'playwright-core';
import { ROOT } from '../guards/sources.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { openBrowser, whenThereIsABrowser } from './chromium.ts';

const it = whenThereIsABrowser();
let stack: TestStack;
let workspace: TestWorkspace;
let browser: Browser | undefined;
let page: Page;
let asked: string[];

beforeAll(async () => {
  stack = await startStack();
  workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  await workspace.ingest(mailbox.id, [{ subject: 'First' }, { subject: 'Second' }, { subject: 'Third' }]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(async () => {
  browser ??= await openBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  asked = [];
  page.on('request', (request) => asked.push(request.url()));
});
afterEach(() => page.close());

const elsewhere = () =>
  asked.filter((url) => !url.startsWith(new URL(stack.docsUrl).origin) && !url.startsWith('data:'));
const operation = (name: string) => page.locator(`.opblock[id$="-${name}"]`);

describe('the API page', () => {
  it('takes a key, sends a request and shows the answer; nothing is asked of anyone else', async () => {
    await page.goto(stack.docsUrl);
    await page.click('.btn.authorize');
    await page.fill('.modal-ux input', workspace.keys.read);
    await page.click('.modal-ux .authorize');
    await page.click('.modal-ux .btn-done');

    await operation('listEmails').locator('.opblock-summary-control').click();
    await operation('listEmails').locator('.execute').click();
    const answer = operation('listEmails').locator('.live-responses-table .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toBe('200');
    expect(await answer.innerText()).toContain('"subject": "Second"');
    expect(await answer.innerText()).toContain('x-ratelimit-remaining');
    expect(elsewhere()).toEqual([]);
  });

  it('finds an endpoint by what is typed, whatever its letters are', async () => {
    await page.goto(stack.docsUrl);
    await operation('listEmails').waitFor();
    await page.fill('.operation-filter-input', 'Mark an EMAIL');
    await operation('listEmails').waitFor({ state: 'detached' });
    expect(await page.locator('.opblock').count()).toBe(1);
    expect(await operation('updateEmail').isVisible()).toBe(true);
    await page.fill('.operation-filter-input', '/drafts/send');
    await operation('sendEmail').waitFor();
    await page.fill('.operation-filter-input', '');
    await operation('listEmails').waitFor();
  });
});

describe('the client', () => {
  it('lists emails from within a page, page by page', async () => {
    const origin = new URL(stack.docsUrl).origin;
    await page.route(`${origin}/client/**`, (route) => {
      const file = new URL(route.request().url()).pathname.split('/').at(-1) as string;
      if (!file.endsWith('.ts')) return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
      return route.fulfill({ contentType: 'text/javascript', body: asScript(file) });
    });
    await page.goto(`${origin}/client/`);
    const subjects = await page.evaluate(`(async () => {
      const { createClient, each, isPostroomError } = await import('/client/client.ts');
      const client = createClient({ baseUrl: '${stack.baseUrl}', key: '${workspace.keys.read}' });
      const subjects = [];
      for await (const { subject } of each(client.listEmails, { limit: 2 })) subjects.push(subject);
      const refused = await client.createLabel({ name: 'A', color: 'Red' }).catch((error) => error);
      return [...subjects.sort(), isPostroomError(refused, 'INSUFFICIENT_SCOPE')];
    })()`);
    expect(subjects).toEqual(['First', 'Second', 'Third', true]);
    expect(elsewhere()).toEqual([]);
  });
});

/** As a bundler would hand it to a page: without its types. */
function asScript(file: string): string {
  const source = readFileSync(join(ROOT, 'libs/client/src', file), 'utf8');
  return transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } })
    .code;
}
