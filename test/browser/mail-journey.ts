import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { faultsIn, NARROW_AND_LIGHT } from './page-faults.ts';
import { openWatchedPage } from './watched-page.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from '../engines/eventually.ts';
import { locatorsOf } from './app-locators.ts';
import { keyboardOf } from './keyboard.ts';

/** More than a screen, so that rows come and go. */
const AT_ONCE = 50;
const FEW = { emails: 60, times: 8 };
const MINUTE_MS = 60_000;

/** The whole inbox, in the order in which the page lists it. */
async function subjectsIn({ read }: TestWorkspace, query: string): Promise<string[]> {
  const { body } = await read.get(`/emails?limit=200&${query}`);
  return body.items.map(({ subject }: { subject: string }) => subject);
}

const focused = (page: Page) => page.locator('li:focus');

/** Works through mail without a pointer. */
export async function triageByKeyboard(
  page: Page,
  workspace: TestWorkspace,
  open: () => Promise<unknown>,
  { emails, times } = FEW,
) {
  const { press } = keyboardOf(page);
  const { heading, pastUndo } = locatorsOf(() => page);
  const mailbox = await workspace.connectMailbox();
  const now = Date.now();
  const messages = Array.from({ length: emails }, (_, at) => ({
    subject: `email ${at}`,
    date: new Date(now - at * MINUTE_MS),
  }));
  const ids: string[] = [];
  for (let first = 0; first < emails; first += AT_ONCE)
    ids.push(...(await workspace.ingest(mailbox.id, messages.slice(first, first + AT_ONCE))));
  await open();
  await page.getByRole('listitem').filter({ hasText: 'email 0' }).first().waitFor();
  // However long the list is, the page holds the rows of a screen.
  expect(await page.getByRole('listitem').count()).toBeLessThan(emails - 10);

  await press('j', 's', 'Enter');
  await heading('email 0').waitFor();
  await press('e');
  await heading('email 1').waitFor();
  await press('j');
  await heading('email 2').waitFor();
  await press('k');
  await heading('email 1').waitFor();
  await press('Escape');
  await focused(page).filter({ hasText: 'email 1' }).waitFor();

  await press('x', 'j', 'x');
  await page.getByText('2 selected').waitFor();
  await press('#');
  await focused(page).filter({ hasText: 'email 3' }).waitFor();
  await press('z');
  await page.getByRole('listitem').filter({ hasText: 'email 1' }).first().waitFor();
  expect(await subjectsIn(workspace, 'folderType=TRASH')).toEqual([]);
  await press('#');
  await pastUndo(/\/emails\/bulk$/);
  await eventually(async () => expect(await subjectsIn(workspace, 'folderType=TRASH')).toEqual(['email 3']));

  const done = Array.from({ length: times }, (_, at) => `email ${at + 4}`);
  for (const subject of done) {
    await focused(page)
      .filter({ hasText: new RegExp(`${subject}(?!\\d)`) })
      .waitFor();
    await press('e');
  }
  await eventually(async () => {
    const read = JSON.stringify({ id: 'c', label: 'read_status', type: 'is_true', value: '' });
    const subjects = await subjectsIn(workspace, `folderType=INBOX&filters=${encodeURIComponent(read)}`);
    expect(subjects).toEqual(['email 0', 'email 1', 'email 2', ...done]);
  });
  return { mailboxId: mailbox.id, starredId: ids[30] ?? '' };
}

/** Somebody else stars an email, and mail arrives: the list shows both, and the row that has the focus keeps it. */
export async function seeWorkOfOthers(
  page: Page,
  workspace: TestWorkspace,
  { mailboxId, starredId }: { mailboxId: string; starredId: string },
): Promise<void> {
  const before = await focused(page).getAttribute('data-email');
  const told = page.waitForResponse(
    async (response) => /\/changes\?since=/.test(response.url()) && (await response.text()).includes(starredId),
  );
  await workspace.write.patch(`/emails/${starredId}`, { isStarred: true });
  await workspace.ingest(mailboxId, [{ subject: 'newcomer' }]);
  await told;
  const starred = page.locator(`[data-email="${starredId}"]`).getByRole('button', { name: 'Star', pressed: true });
  await starred.waitFor();
  await page.getByRole('listitem').filter({ hasText: 'newcomer' }).waitFor();
  expect(await focused(page).getAttribute('data-email')).toBe(before);
}

const HOSTILE = [
  '<script>parent.broken = 1</script><img src=x onerror="parent.broken=1"><svg onload="parent.broken=1"></svg>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/c.css"><style>@import "https://evil.example/c.css";</style>',
  '<form action="https://evil.example"><input autofocus><button>Sign in again</button></form>',
  '<div style="position:fixed;inset:0;z-index:9999;background:red">covers</div>',
  '<a href="https://evil.example/in">https://bank.example</a> <a href="javascript:parent.broken=1">run</a>',
  '<img src="https://pictures.example/p.png" alt="Picture"><iframe src="https://evil.example"></iframe>',
].join('');

/** Reads mail of a stranger who tries everything, and asks for its images once. */
export async function readHostileMail(signedIn: Page, workspace: TestWorkspace, origin: string) {
  const browser = signedIn.context().browser();
  if (!browser) throw new Error('the page has no browser');
  // The clock of the other page is a script, which the browser would refuse in the frame and complain about.
  const storageState = await signedIn.context().storageState();
  const [page, watched] = await openWatchedPage(browser, origin, { storageState });
  const { heading, button } = locatorsOf(() => page);
  const asked: string[] = [];
  await page.route(/^https:\/\/[^/]+\.example\//, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 404 });
  });
  const mailbox = await workspace.connectMailbox();
  const subject = '<img src=x onerror="window.broken=1">\u202e evil';
  const [id = ''] = await workspace.ingest(mailbox.id, [{ subject, html: HOSTILE }]);
  await page.goto(`${origin}/app/mail/${id}`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('https://bank.example').waitFor();
  const link = frame.getByRole('link', { name: /bank/ });
  expect(await link.getAttribute('data-host')).toBe('evil.example');
  expect(await frame.locator('script, form, input, iframe, img, svg, base, meta[http-equiv]').count()).toBe(0);
  expect(await page.evaluate('window.broken')).toBeUndefined();
  expect(asked).toEqual([]);
  // The page around the frame can be used as before.
  await button('Why is this here?').click();
  await heading('Why is this here?').waitFor();
  expect(await faultsIn(NARROW_AND_LIGHT, page, 'hostile mail')).toEqual([]);

  await button('Show images once').click();
  await frame.locator('img').waitFor({ state: 'attached' });
  await eventually(() => expect(asked).toEqual(['https://pictures.example/p.png']));
  await page.reload();
  await frame.getByText('https://bank.example').waitFor();
  await button('Show images once').waitFor();
  expect(asked).toHaveLength(1);
  expect(watched.complaints).toEqual([]);
  expect(watched.originsAsked()).toEqual([origin, 'https://pictures.example']);
  await page.context().close();
}
