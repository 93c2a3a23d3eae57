import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { BRISK } from '../engines/support/synced-mailbox.ts';
import { type AppPeople, openAppPeople, PASSWORD_IN_APP } from '../support/app-client.ts';
import { type Gmail, openGmail } from '../support/gmail.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { decideAndRevoke } from './agent-journey.ts';
import { buildPages, openBrowser, whenThereIsABrowser } from './chromium.ts';
import { DIALOGS, fillWorkspace, PAGES } from './filled-workspace.ts';
import { keyboardOf } from './keyboard.ts';
import { plugInAuthenticator } from './plugged-in.ts';
import { pageFaults } from './page-faults.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const it = whenThereIsABrowser();
// A browser, twenty services and a mail server share the cores with other tests.
jest.setTimeout(240_000);
const MAIL_PASSWORD = 'the right one';
const mail = (subject: string) =>
  Buffer.from(`From: ann@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello`);

let stack: TestStack;
let people: AppPeople;
let imap: Gmail, smtp: MailSink;
let browser: Browser | undefined;
let page: Page;
let watched: WatchedPage;

beforeAll(async () => {
  buildPages();
  [stack, imap, smtp] = await Promise.all([
    startStack({ beside: ['app'], variables: BRISK }),
    openGmail({ password: MAIL_PASSWORD }),
    openMailSink({ hasLogins: true }),
  ]);
  smtp.password = MAIL_PASSWORD;
  people = await openAppPeople(stack);
});
afterAll(async () => {
  await browser?.close();
  await people?.close();
  await Promise.all([stack?.close(), imap?.close(), smtp?.close()]);
});
beforeEach(async () => {
  await openPage({});
});
afterEach(async () => {
  await page.context().close();
  expect(watched.complaints).toEqual([]);
  expect(watched.originsAsked()).toEqual([people.origin]);
});

async function openPage(options: BrowserContextOptions): Promise<void> {
  browser ??= await openBrowser();
  [page, watched] = await openWatchedPage(browser, people.origin, options);
}

const open = (path: string) => page.goto(`${people.origin}/app${path}`);
const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
const field = (name: string, within: Page | Locator = page) => within.getByLabel(name, { exact: true });
const dialog = () => page.getByRole('dialog');
const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

/** An owner who comes in by the operator's link, and sets a password. */
async function comeInAsOwner(email: string) {
  const { id: workspaceId } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'expert' }, {});
  const { token } = await people.operators.invitePerson({ workspaceId, email, role: 'owner' }, {});
  await open(`/link#${token}`);
  await field('Password').fill(PASSWORD_IN_APP);
  await button('Set password').click();
  await page.getByText('Password set').waitFor();
  await button('Continue').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  return workspaceId;
}

describe('an owner, with the browser alone', () => {
  it('signs in, connects a mailbox, makes and uses a key, restricts a view, invites a member, revokes the key', async () => {
    imap.add(mail('first'), ['\\Inbox']);
    imap.add(mail('second'), ['\\Inbox']);
    await comeInAsOwner('olga@acme.example');

    await button('olga@acme.example owner').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await field('Email').fill('olga@acme.example');
    await field('Password').fill('not this one at all');
    await button('Sign in').click();
    expect(await page.getByRole('alert').innerText()).toMatch(/Request\s+req_/);
    await field('Password').fill(PASSWORD_IN_APP);
    await button('Sign in').click();
    await page.getByText('No mailbox yet').waitFor();

    await page.getByRole('link', { name: 'Connect mailbox' }).click();
    await field('Email address', dialog()).fill('ann@acme.example');
    await field('Password', dialog()).fill('the wrong one');
    await field('IMAP server', dialog()).fill(imap.address);
    await field('SMTP server', dialog()).fill(smtp.address);
    await button('Connect', dialog()).click();
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().innerText()).toContain('The server refused the user name or the password');
    await field('Password', dialog()).fill(MAIL_PASSWORD);
    await button('Connect', dialog()).click();
    await dialog().getByText('2 of 2 emails').waitFor();
    await button('Done', dialog()).click();
    const mailbox = page.getByRole('listitem').filter({ hasText: 'ann@acme.example' });
    await mailbox.getByText('Active').waitFor();
    expect(await mailbox.innerText()).toMatch(/Emails\s+2/);

    await go('Keys');
    await button('Create key').click();
    await field('Name', dialog()).fill('crm');
    await button('Create key', dialog()).click();
    const secret = await field('Secret', dialog()).inputValue();
    await button('Copy', dialog()).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await button('Done', dialog()).click();
    const { body } = await stack.client(secret).get('/emails');
    expect(body.items.map(({ subject }: { subject: string }) => subject).sort()).toEqual(['first', 'second']);

    await go('Views');
    await page.getByRole('link', { name: 'Create view' }).click();
    await field('Name').fill('Of Ann');
    await button('Add condition').click();
    await field('Field').selectOption('Subject');
    await field('Value').fill('first');
    await field('ann@acme.example').check();
    await button('Save').click();
    expect(await row('Of Ann').innerText()).toContain('Subject contains “first”');
    const [view] = (await stack.client(secret).get('/views')).body.items;
    expect(view).toMatchObject({ name: 'Of Ann', mailboxIds: [expect.any(String)] });
    const seen = (await stack.client(secret).get(`/emails?viewId=${view.id}`)).body.items;
    expect(seen.map(({ subject }: { subject: string }) => subject)).toEqual(['first']);

    await go('People');
    await button('Invite').click();
    await field('Email', dialog()).fill('mia@acme.example');
    await button('Invite', dialog()).click();
    expect(await field('Invitation link', dialog()).inputValue()).toContain(`${people.origin}/app/link#`);
    await button('Done', dialog()).click();
    expect(await row('mia@acme.example').innerText()).toContain('Member');

    await go('Keys');
    await button('Revoke', row('crm')).click();
    await button('Undo').click();
    expect(await row('crm').innerText()).toContain('Active');
    await button('Revoke', row('crm')).click();
    await page.getByText('Key "crm" revoked').waitFor({ state: 'detached' });
    expect(await row('crm').innerText()).toContain('Revoked');
    const refused = await stack.client(secret).get('/emails');
    expect([refused.status, refused.body.code]).toEqual([401, 'API_KEY_REVOKED']);

    await go('Activity');
    for (const did of ['Mailbox connected', 'Key created', 'View created', 'Member invited', 'Key revoked'])
      await row(did).getByText('olga@acme.example').first().waitFor();
  });

  it('does it with the keyboard alone', async () => {
    await comeInAsOwner('kim@acme.example');
    await page.reload();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const { press, type, focusBy } = keyboardOf(page);
    await press('g', 'k');
    await page.getByText('No keys yet').waitFor();
    await press('c');
    await field('Name', dialog()).waitFor();
    await type('by keyboard');
    await press('Enter');
    await field('Secret', dialog()).waitFor();
    await focusBy('Tab', 'Done');
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });

    await press('Control+k');
    await page.getByLabel('Search pages and commands').fill('invite');
    await press('Enter');
    await field('Email', dialog()).waitFor();
    await type('lee@acme.example');
    await press('Enter');
    await field('Invitation link', dialog()).waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });

    await press('g', 'k');
    await row('by keyboard').waitFor();
    await press('j');
    await focusBy('Tab', 'Revoke');
    await press('Enter');
    await page.getByText('Key "by keyboard" revoked').waitFor({ state: 'detached' });
    expect(await row('by keyboard').innerText()).toContain('Revoked');
    await press('?');
    expect(await dialog().innerText()).toContain('Next and previous row');
  });
});

it('reads what an agent asks to send, refuses it by keyboard, stops all agents and revokes a client', async () =>
  decideAndRevoke(page, stack, await comeInAsOwner('ada@acme.example')));

it('signs in with a passkey that was added on the page of a link', async () => {
  await plugInAuthenticator(page);
  const workspace = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {});
  await people.joined(workspace.id, 'owner', 'pia@acme.example');
  const { token } = await people.operators.createSignInLink({ email: 'pia@acme.example' }, {});
  await open(`/link#${token}`);
  await button('Add passkey').click();
  await page.getByText(/^Passkey added/).waitFor();
  await page.context().clearCookies();
  await open('/sign-in');
  await button('Sign in with a passkey').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

describe('what a page does not do', () => {
  it('sends back to the sign-in, and opens the address that was asked for afterwards', async () => {
    await comeInAsOwner('pat@acme.example');
    await page.context().clearCookies();
    await open('/views/new');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await field('Email').fill('pat@acme.example');
    await field('Password').fill(PASSWORD_IN_APP);
    await button('Sign in').click();
    await page.getByRole('heading', { name: 'New view' }).waitFor();
  });

  it('shows no text of people as markup, in names or in refusals', async () => {
    const workspaceId = await comeInAsOwner('rob@acme.example');
    const markup = '<img src=x onerror="window.broken=1">';
    await stack.workspaces.createKey({ workspaceId, name: markup, scopes: ['read'], allowOutboundSend: false }, {});
    await go('Keys');
    await row(markup).waitFor();
    await go('Rules');
    await button('Create rule').click();
    await field('Name', dialog()).fill(markup);
    await field('Condition', dialog()).fill(markup);
    await button('Save', dialog()).click();
    expect(await row(markup).innerText()).toContain(markup);
    expect(await page.evaluate('window.broken')).toBeUndefined();
  });

  it('shows a member no keys, and no way to change what is of all', async () => {
    const workspace = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {});
    const request = { workspaceId: workspace.id, email: 'max@acme.example', role: 'member' };
    const { token } = await people.operators.invitePerson(request, {});
    await open(`/link#${token}`);
    await button('Continue').click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).not.toContain('Keys');
    await go('Rules');
    await page.getByText('No AI rules yet').waitFor();
    expect(await page.getByRole('button', { name: /Create/ }).count()).toBe(0);
    await open('/keys');
    await page.getByRole('alert').waitFor();
  });
});

describe('every page', () => {
  it.each([
    ['light', 360],
    ['dark', 1_400],
  ] as const)('has nothing that axe finds, one h1, its own title, and fits: %s, %d px', async (colorScheme, width) => {
    const workspaceId = await comeInAsOwner(`axe.${colorScheme}@acme.example`);
    const pages = [...PAGES, ...(await fillWorkspace(stack, workspaceId))];
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const found: string[] = [];
    const titles = new Set<string>();
    for (const path of [...pages, ...DIALOGS]) {
      await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
      if (path.includes('dialog=')) await dialog().waitFor();
      else titles.add(await page.title());
      found.push(...(await pageFaults(page, path)));
    }
    await page.context().clearCookies();
    await open('/sign-in');
    await field('Email').waitFor();
    found.push(...(await pageFaults(page, '/sign-in')));
    expect(found).toEqual([]);
    expect([...titles]).toHaveLength(pages.length);
  });

  it('comes in at most 256,000 bytes with the first of them', async () => {
    await comeInAsOwner('size@acme.example');
    const sizes: number[] = [];
    const state = await page.context().storageState();
    await page.context().close();
    await openPage({ storageState: state });
    page.on('response', (response) => {
      if (!response.url().includes('/app/api/')) sizes.push(Number(response.headers()['content-length'] ?? Number.NaN));
    });
    await open('/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.waitForLoadState('networkidle');
    const sum = sizes.reduce((total, size) => total + size, 0);
    expect(sum).toBeGreaterThan(100_000);
    expect(sum).toBeLessThanOrEqual(256_000);
  });
});
