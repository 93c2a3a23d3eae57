import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppLocators } from './app-locators.ts';
import type { keyboardOf } from './keyboard.ts';
import type { MailAccount } from './mail-account.ts';

interface Story extends AppLocators, ReturnType<typeof keyboardOf> {
  page: Page;
  mail: MailAccount;
}

/** Connects a mailbox, with a wrong password first; copies its id; disconnects and reconnects it. */
export async function connectByKeyboard({
  page,
  mail,
  press,
  type,
  button,
  dialog,
  card,
  pastUndo,
}: Story): Promise<void> {
  await press('g', 'm');
  await page.getByText('No mailboxes yet').waitFor();
  await press('c');
  await dialog().waitFor();
  for (const text of [mail.email, 'not the password', mail.imap, mail.smtp]) {
    await type(text);
    await press('Tab');
  }
  await press('Enter');
  await dialog().getByRole('alert').waitFor();
  await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Control+A');
  await type(mail.password);
  await press('Enter');
  await dialog().getByText('2 of 2 emails').waitFor();
  await press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await card(mail.email).getByText('Active').waitFor();
  await press('j', 'y');
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^mbx_/);
  await press('#');
  await card(mail.email).getByText('Disconnected').waitFor();
  await press('z');
  await card(mail.email).getByText('Active').waitFor();
  await press('#');
  await pastUndo(/\/disconnect$/);
  await card(mail.email).getByRole('button', { name: 'Reconnect', disabled: false }).waitFor();
  await press('r');
  await dialog().waitFor();
  await press('Enter');
  await button('Done', dialog()).waitFor();
  await press('Enter');
  await card(mail.email).getByText('Active').waitFor();
}

/** Builds a filter tree, and restricts the view to a mailbox. */
export async function buildViewByKeyboard({
  button,
  page,
  mail,
  press,
  type,
  focusBy,
  field,
  heading,
  row,
}: Story): Promise<void> {
  await press('g', 'v');
  await page.getByText('No views yet').waitFor();
  await press('c');
  await heading('New view').waitFor();
  await type('Of Ann');
  await focusBy('Tab', 'Add condition');
  await press('Enter');
  await page.locator('select:focus').waitFor();
  await type('Subject');
  await press('Tab', 'Tab');
  await type('first');
  await focusBy('Tab', 'Add group');
  await press('Enter');
  await field('Match').nth(1).waitFor();
  await focusBy('Tab', 'Remove group');
  await press('Enter');
  await button('Add condition').and(page.locator(':focus')).waitFor();
  await focusBy('Tab', mail.email);
  await press('Space');
  await focusBy('Tab', 'Save');
  await press('Enter');
  await row('Of Ann').waitFor();
  expect(await row('Of Ann').innerText()).toMatch(new RegExp(`Subject contains “first”[^]*${mail.email}`));
  await press('j', 'Enter');
  await heading('Edit view').waitFor();
}

/** Makes a key, revokes it, takes that back, and revokes it. */
export async function makeKeyByKeyboard({
  page,
  press,
  type,
  focusBy,
  field,
  dialog,
  row,
  pastUndo,
}: Story): Promise<void> {
  await press('g', 'k');
  await page.getByText('No keys yet').waitFor();
  await press('c');
  await dialog().waitFor();
  await type('by keyboard');
  await press('Enter');
  await field('Secret', dialog()).waitFor();
  await focusBy('Tab', 'Done');
  await press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await row('by keyboard').waitFor();
  await press('j', '#', 'z');
  await row('by keyboard').getByText('Active').waitFor();
  await press('#');
  await pastUndo(/\/revoke$/);
  expect(await row('by keyboard').innerText()).toContain('Revoked');
}

/** Opens a thing by its name, begins an invitation, and lists the keys. */
export async function useThePalette({ page, press, type, field, heading, dialog }: Story): Promise<void> {
  await press('Control+k');
  await page.getByLabel('Search pages and commands').fill('of ann');
  await press('Enter');
  await heading('Edit view').waitFor();
  await press('Control+k');
  await page.getByLabel('Search pages and commands').fill('invite');
  await press('Enter');
  await field('Email', dialog()).waitFor();
  await type('lee@acme.example');
  await press('Enter');
  await field('Invitation link', dialog()).waitFor();
  await press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await press('?');
  expect(await dialog().innerText()).toContain('Next and previous row');
}
