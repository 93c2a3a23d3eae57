import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../engines/eventually.ts';
import { BRISK } from '../engines/support/synced-mailbox.ts';
import { type AppPeople, openAppPeople, PASSWORD_IN_APP } from '../support/app-client.ts';
import { type ConsentScene, openConsentScene } from '../support/consent-scene.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { decideAndRevoke } from './agent-journey.ts';
import { locatorsOf } from './app-locators.ts';
import { readAttachments } from './attachment-journey.ts';
import { buildViewByKeyboard, connectByKeyboard, makeKeyByKeyboard, useThePalette } from './by-keyboard.ts';
import { buildPages, openBrowser, whenThereIsABrowser } from './chromium.ts';
import { sendOnlyWhatIsShown, workOnDrafts } from './drafts-journey.ts';
import { undoEffects } from './effects-journey.ts';
import { bytesOfFirstLoad } from './first-load.ts';
import { fillWorkspace, PAGES } from './filled-workspace.ts';
import { connectByConsent } from './consent-journey.ts';
import { keyboardOf } from './keyboard.ts';
import { type MailAccount, openMailAccount } from './mail-account.ts';
import { plugInAuthenticator } from './plugged-in.ts';
import { NARROW_AND_LIGHT } from './page-faults.ts';
import { walkPages } from './page-walk.ts';
import { testARule } from './rule-test-journey.ts';
import { takeBack } from './undo-story.ts';
import { readHostileMail, seeWorkOfOthers, triageByKeyboard } from './mail-journey.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const it = whenThereIsABrowser();
// A browser, twenty services and a mail server share the cores with other tests.

let stack: TestStack;
let people: AppPeople;
let mail: MailAccount;
let scene: ConsentScene;
let browser: Browser | undefined;
let page: Page;
let watched: WatchedPage;

beforeAll(async () => {
  buildPages();
  scene = await openConsentScene();
  const variables = { ...BRISK, ...scene.variables };
  [stack, mail] = await Promise.all([startStack({ beside: ['app'], variables }), openMailAccount()]);
  people = await openAppPeople(stack);
  await mail.receive('first', 'second');
});
afterAll(async () => {
  await browser?.close();
  await people?.close();
  await Promise.all([stack?.close(), mail?.close(), scene?.close()]);
});
/** One page for all: what it loaded once stays in its cache. */
beforeEach(async () => {
  browser ??= await openBrowser();
  if (!page) {
    [page, watched] = await openWatchedPage(browser, people.origin, {});
    await page.clock.install();
  }
  await page.context().clearCookies();
});
afterEach(() => {
  expect(watched.complaints.splice(0)).toEqual([]);
  expect(watched.originsAsked().filter((origin) => origin !== people.origin)).toEqual([]);
});

const open = (path: string) => page.goto(`${people.origin}/app${path}`);
const { button, field, heading, dialog, row, card, go, pastUndo } = locatorsOf(() => page);

/** An owner of a new workspace, who is signed in already. */
async function signedInOwner(email: string) {
  const { id } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'expert' }, {});
  await signIn((await people.joined(id, 'owner', email)).cookie);
  return id;
}

async function signIn(cookie: string) {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: people.origin }]);
}

describe('an owner, with the browser alone', () => {
  it('signs in, connects a mailbox, makes and uses a key, restricts a view, invites a member, revokes the key', async () => {
    const { id: workspaceId } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'expert' }, {});
    const { token } = await people.operators.invitePerson(
      { workspaceId, email: 'olga@acme.example', role: 'owner' },
      {},
    );
    await open(`/link#${token}`);
    await field('Password').fill(PASSWORD_IN_APP);
    await button('Set password').click();
    await page.getByText('Password set').waitFor();
    await button('Continue').click();

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
    await field('Email address', dialog()).fill(mail.email);
    await field('Password', dialog()).fill('the wrong one');
    await field('IMAP server', dialog()).fill(mail.imap);
    await field('SMTP server', dialog()).fill(mail.smtp);
    await button('Connect', dialog()).click();
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().innerText()).toContain('The server refused the user name or the password');
    await field('Password', dialog()).fill(mail.password);
    await button('Connect', dialog()).click();
    await dialog().getByText('2 of 2 emails').waitFor();
    await button('Done', dialog()).click();
    await card(mail.email).getByText('Active').waitFor();
    expect(await card(mail.email).innerText()).toMatch(/Emails\s+2/);

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
    await field(mail.email).check();
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
    await pastUndo(/\/revoke$/);
    expect(await row('crm').innerText()).toContain('Revoked');
    await eventually(async () => {
      const { status, body: refusal } = await stack.client(secret).get('/emails');
      expect([status, refusal.code]).toEqual([401, 'API_KEY_REVOKED']);
    });

    await go('Activity');
    for (const did of ['Mailbox connected', 'Key created', 'View created', 'Member invited', 'Key revoked'])
      await row(did).getByText('olga@acme.example').first().waitFor();
  });

  it('does it with the keyboard alone', async () => {
    await signedInOwner('kim@acme.example');
    await open('/');
    await heading('Home').waitFor();
    const story = { page, mail, ...locatorsOf(() => page), ...keyboardOf(page) };
    await connectByKeyboard(story);
    await buildViewByKeyboard(story);
    await makeKeyByKeyboard(story);
    await useThePalette(story);
  });
});

it('connects a Gmail mailbox by consent, and says what to do when it is not given', async () => {
  const { id } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {});
  const [name = '', value = ''] = (await people.joined(id, 'admin')).cookie.split('=');
  scene.registerAt(people.origin);
  scene.imap.add(Buffer.from('From: a@b.example\r\nSubject: hello\r\n\r\nhello'), ['\\Inbox'], [], new Date(0));
  await connectByConsent(page.context().browser() as Browser, people.origin, { name, value }, scene);
});

it('reads what an agent asks to send, refuses it by keyboard, stops all agents and revokes a client', async () => {
  const workspaceId = await signedInOwner('ada@acme.example');
  await open('/');
  await decideAndRevoke(page, stack, workspaceId);
  await workOnDrafts(page, stack, workspaceId);
});

it('sends a draft only while its whole text is on the screen, and cancels and edits it before', async () => {
  await sendOnlyWhatIsShown(page, stack, await signedInOwner('sue@acme.example'), open);
});

it('undoes what a rule did, and takes back a role, the pause of a forward and the loss of the own role', async () => {
  const workspace = await stack.workspace();
  const owner = await people.joined(workspace.id, 'owner', 'una@undo.example');
  await signIn(owner.cookie);
  await open('/');
  await undoEffects(page, workspace, owner);
  await takeBack(page, people, owner);
});

it('triages mail by keyboard alone, shows hostile mail where nothing runs or is loaded, and saves attachments', async () => {
  const workspace = await stack.workspace();
  await signIn((await people.joined(workspace.id, 'member')).cookie);
  await seeWorkOfOthers(page, workspace, await triageByKeyboard(page, workspace, () => open('/mail')));
  await readHostileMail(page, workspace, people.origin);
  await readAttachments(page, stack, workspace, people.origin);
});

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
  await heading('Home').waitFor();
});

describe('a page', () => {
  it('sends back to the sign-in, and opens the address that was asked for afterwards', async () => {
    await open('/views/new');
    await heading('Sign in').waitFor();
    await field('Email').fill('olga@acme.example');
    await field('Password').fill(PASSWORD_IN_APP);
    await button('Sign in').click();
    await heading('New view').waitFor();
  });

  it('shows no text of people as markup, in names or in refusals', async () => {
    const workspaceId = await signedInOwner('rob@acme.example');
    const markup = '<img src=x onerror="window.broken=1">';
    await stack.workspaces.createKey({ workspaceId, name: markup, scopes: ['read'], allowOutboundSend: false }, {});
    await open('/keys');
    await row(markup).waitFor();
    await go('Rules');
    await button('Create rule').click();
    await field('Name', dialog()).fill(markup);
    await field('Condition', dialog()).fill(markup);
    await button('Save', dialog()).click();
    expect(await row(markup).innerText()).toContain(markup);
    expect(await page.evaluate('window.broken')).toBeUndefined();
    await testARule(page, stack, workspaceId);
  });

  it('says so where a page cannot be loaded, and loads it again', async () => {
    await signedInOwner('una@acme.example');
    await open('/');
    await page.route(/people-page-/, (route) => route.abort());
    await go('People');
    await page.getByText('This page could not be shown').waitFor();
    expect(watched.complaints.splice(0).join()).toContain('people-page');
    await page.unroute(/people-page-/);
    await button('Load again').click();
    await heading('People').waitFor();
  });

  it('shows a member no keys, and no way to change what is of all', async () => {
    const workspace = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {});
    await signIn((await people.joined(workspace.id, 'member')).cookie);
    await open('/');
    await heading('Home').waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).not.toContain('Keys');
    await go('Rules');
    await page.getByText('No AI rules yet').waitFor();
    expect(await page.getByRole('button', { name: /Create/ }).count()).toBe(0);
    await open('/keys');
    await page.getByRole('alert').waitFor();
  });
});

describe('every page', () => {
  it('has nothing that axe finds, one h1, its own title, and fits a narrow screen', async () => {
    const workspaceId = await signedInOwner('axe@acme.example');
    const pages = [...PAGES, ...(await fillWorkspace(stack, workspaceId))];
    await open('/');
    const { found, titles } = await walkPages(page, pages, NARROW_AND_LIGHT);
    expect(found).toEqual([]);
    expect([...titles]).toHaveLength(pages.length);
  });

  it('comes in at most 256,000 bytes with the first of them', async () => {
    await signedInOwner('size@acme.example');
    const sum = await bytesOfFirstLoad(page, people.origin);
    expect(sum).toBeGreaterThan(100_000);
    expect(sum).toBeLessThanOrEqual(256_000);
  });
});
