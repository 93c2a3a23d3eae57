import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestStack } from '../support/stack.ts';
import { locatorsOf } from './app-locators.ts';
import { openApproval } from './filled-workspace.ts';
import { keyboardOf } from './keyboard.ts';

/** A client that registers and asks; its person lets it in, and returns to a page that shows it. */
async function letClientIn(page: Page, { appUrl, mcpUrl }: Pick<TestStack, 'appUrl' | 'mcpUrl'>): Promise<void> {
  const { origin } = new URL(appUrl);
  const redirectUri = `${origin}/app/people`;
  const asked = { client_name: 'Assistant', redirect_uris: [redirectUri] };
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${origin}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(asked) });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'read write',
    resource: mcpUrl,
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
  });
  await page.goto(`${origin}/oauth/authorize?${query.toString()}`);
  await page.getByLabel('Answer by itself', { exact: true }).check();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Assistant' });
  expect(await row.innerText()).toMatch(/Answer by itself[\s\S]*0 of 200/);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await locatorsOf(() => page).pastUndo(/\/grants\//);
}

/** The way of an owner from a message that waits, which they refuse by keyboard, to the end of the client that asked. */
export async function decideAndRevoke(page: Page, stack: TestStack, workspaceId: string): Promise<void> {
  const { row, button, pastUndo } = locatorsOf(() => page);
  const { press, focusBy } = keyboardOf(page);
  const { collections } = stack;
  const mailbox = { workspaceId, email: 'ada@acme.example', aliases: [], withoutTrash: false };
  await openApproval(stack, workspaceId, (await stack.workspaces.connectMailbox(mailbox, {})).id);
  await page.reload();
  await page.getByRole('link', { name: 'A message waits for your approval' }).click();
  await row('Tuesday').waitFor();
  await press('j', 'Enter');
  await page.getByRole('heading', { name: 'Send this message?' }).waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('text that its readers may not see');
  const said = await page.getByRole('main').innerText();
  for (const shown of ['bob@other.example', 'Is Tuesday fine?', 'display: none', 'Helper'])
    expect(said).toContain(shown);
  await focusBy('Tab', 'Refuse');
  await press('Enter');
  await page.getByText('Nothing waits for you').waitFor();
  const send = await collections.sends.findOne({ workspaceId }).lean();
  expect(send).toMatchObject({ state: 'canceled', approval: { decision: 'refused' } });

  await page.getByRole('navigation').getByRole('link', { name: 'People', exact: true }).click();
  expect(await row('Helper').innerText()).toMatch(/Send after approval[\s\S]*1 of 200/);
  await button('Stop all sending by agents').click();
  await button('Allow sending by agents again').waitFor();
  expect(await collections.agentStops.countDocuments({ workspaceId })).toBe(1);
  await button('Allow sending by agents again').click();
  await button('Stop all sending by agents').waitFor();
  expect(await collections.agentStops.countDocuments({ workspaceId })).toBe(0);
  await row('Helper').getByRole('button', { name: 'Revoke' }).click();
  await pastUndo(/\/grants\//);
  await page.getByText('No MCP clients').waitFor();
  await letClientIn(page, stack);
  expect(await collections.grants.countDocuments({ workspaceId })).toBe(0);
}
