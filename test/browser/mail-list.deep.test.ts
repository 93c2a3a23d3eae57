import { afterAll, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { benchEmail } from '../bench/mail.ts';
import { withListProjection } from '../support/email-document.ts';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { buildPages, openBrowser, whenThereIsABrowser } from './chromium.ts';
import { memoryOf, scrollList } from './long-list.ts';
import { triageByKeyboard } from './mail-journey.ts';
import { openWatchedPage } from './watched-page.ts';

const it = whenThereIsABrowser();
/** `POSTROOM_FULL=1` fills the list with as many as the app is made for. */
const LISTED = process.env['POSTROOM_FULL'] ? 100_000 : 1_000;
const TRIAGED = process.env['POSTROOM_FULL'] ? 200 : 80;
const BATCH = 1_000;
const JUMPS = process.env['POSTROOM_FULL'] ? 120 : 30;
const ROW_HEIGHT = 37;
/** In the page at once, whatever the list has. */
const MOST_ROWS = 100;
const MOST_NODES = 20_000;
/** An email that is not in the page stays in its memory. */
const BYTES_OF_ITEM = 4_096;

jest.setTimeout(LISTED === 100_000 ? 3_600_000 : 540_000);

let stack: TestStack;
let people: AppPeople;
let browser: Browser;
let page: Page;
let workspace: TestWorkspace;

beforeAll(async () => {
  buildPages();
  stack = await startStack({ beside: ['app'] });
  people = await openAppPeople(stack);
  browser = await openBrowser();
});
beforeEach(async () => {
  workspace = await stack.workspace();
  const [name = '', value = ''] = (await people.joined(workspace.id, 'member')).cookie.split('=');
  [page] = await openWatchedPage(browser, people.origin, { viewport: { width: 1_400, height: 800 } });
  await page.context().addCookies([{ name, value, url: people.origin }]);
});
afterAll(async () => {
  await browser?.close();
  await people?.close();
  await stack?.close();
});

const open = () => page.goto(`${people.origin}/app/mail`);

it(`${TRIAGED} emails are triaged by keyboard alone`, async () => {
  await page.clock.install();
  await triageByKeyboard(page, workspace, open, { emails: TRIAGED, times: TRIAGED - 4 });
});

/** Fills the inbox, and returns its emails in the order of the list. */
async function fillInbox(mailboxId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next = 0; ids.length < LISTED;) {
    const emails = [];
    for (; emails.length < BATCH && ids.length < LISTED; next += 1) {
      const given = benchEmail(next);
      if (given.folderType !== 'INBOX') continue;
      // Nothing is left to do about it, so that no service changes it while the list is read.
      const here = { _id: `${given._id}_${workspace.id}`, workspaceId: workspace.id, mailboxId, isUnsettled: false };
      emails.push(withListProjection({ ...given, ...here }));
      ids.push(here._id);
    }
    await stack.collections.emails.collection.insertMany(emails as never[]);
  }
  return ids;
}

it('a long list scrolls with the rows of a screen in the page, and repeats and loses no email', async () => {
  const { id: mailboxId } = await workspace.connectMailbox();
  const began = performance.now();
  const ids = await fillInbox(mailboxId);
  const seeded = Math.round((performance.now() - began) / 1_000);
  await open();
  await page.getByRole('listitem').first().waitFor();
  const before = await memoryOf(page);
  const { listed, ...figures } = await scrollList(page, { height: LISTED * ROW_HEIGHT, jumps: JUMPS });
  const after = await memoryOf(page);
  process.stdout.write(
    `the list of ${LISTED} emails: ${JSON.stringify({ seeded, ...figures, before, after }, null, 1)}\n`,
  );
  expect(figures.most).toBeLessThan(MOST_ROWS);
  expect(figures.moved).toBe(0);
  expect(listed.length).toBe(LISTED);
  expect(listed.filter((id, at) => id !== ids[at])).toEqual([]);
  expect(after.nodes).toBeLessThan(MOST_NODES);
  expect(after.heapMb - before.heapMb).toBeLessThan(10 + (LISTED * BYTES_OF_ITEM) / 1024 / 1024);
});
