import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppPeople } from '../support/app-client.ts';
import { locatorsOf } from './app-locators.ts';

type Owner = Awaited<ReturnType<AppPeople['joined']>>;

/** An owner takes back a role, the pause of a forward, and the loss of their own role. */
export async function takeBack(page: Page, people: AppPeople, owner: Owner): Promise<void> {
  const { button, field, row, go, pastUndo } = locatorsOf(() => page);
  const workspaceId = owner.workspace.split('/')[2] ?? '';
  const { personId, email } = await people.joined(workspaceId, 'member', 'mia@undo.example');
  const body = { conditionField: 'subject_contains', conditionValue: 'Invoice', forwardTo: 'books@undo.example' };
  await owner.call('POST', `${owner.workspace}/auto-forward-rules`, { body });

  const roles = async () => {
    const { items } = (await owner.call('GET', `${owner.workspace}/members`)).json;
    return Object.fromEntries(items.map((one: { personId: string; role: string }) => [one.personId, one.role]));
  };
  await page.goto(`${people.origin}/app/people`);
  await field('Role', row(email)).selectOption('Admin');
  await page.getByText(`${email} has the role Admin`).waitFor();
  expect(await roles()).toMatchObject({ [personId]: 'admin' });
  const taken = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await button('Undo').click();
  await taken;
  expect(await roles()).toMatchObject({ [personId]: 'member' });

  const own = row(owner.email);
  await field('Role', own).selectOption('Member');
  await page.getByText('Your role becomes Member').waitFor();
  expect(await roles()).toMatchObject({ [owner.personId]: 'owner' });
  await button('Undo').click();
  expect(await field('Role', own).inputValue()).toBe('owner');

  await go('Rules');
  const forward = row('books@undo.example');
  await button('Pause', forward).click();
  await forward.getByText('Paused', { exact: true }).waitFor();
  await button('Undo').click();
  await forward.getByText('Active', { exact: true }).waitFor();

  await people.joined(workspaceId, 'owner', 'second@undo.example');
  await go('People');
  await field('Role', own).selectOption('Member');
  await pastUndo(/\/members\//);
  expect(await roles()).toMatchObject({ [owner.personId]: 'member' });
}
