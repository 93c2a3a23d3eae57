import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rawMessage } from '../support/message.ts';
import type { TestStack } from '../support/stack.ts';
import { locatorsOf } from './app-locators.ts';

/** An owner tests a new rule, saves it, says what is expected of it, and sees what a change of it would break. */
export async function testARule(page: Page, stack: TestStack, workspaceId: string): Promise<void> {
  const { button, dialog, field, go, row } = locatorsOf(() => page);
  const stored = () => stack.collections.emails.countDocuments({ workspaceId, labelIds: { $ne: [] } });

  await go('Rules');
  await button('Create rule').click();
  await field('Name', dialog()).fill('To pay');
  await field('Condition', dialog()).fill('The email is an invoice or a payment reminder');
  await button('Test', dialog()).click();
  await button('Estimate', dialog()).waitFor();
  // The page may have read its list of mailboxes before this one was connected.
  const asked = { workspaceId, email: 'tests@acme.example', aliases: [], withoutTrash: false };
  const { id: mailboxId } = await stack.workspaces.connectMailbox(asked, {});
  const bold = '<img src=x onerror="window.broken = true">';
  const messages = [
    { subject: 'Invoice 7 is due', text: 'Please pay the invoice.' },
    { subject: `Lunch ${bold}`, text: 'At noon?' },
  ];
  await stack.mailboxWrite.ingest({ mailboxId, messages: messages.map(rawMessage) }, { workspaceId });
  await button('Estimate', dialog()).click();
  await dialog().getByText('Estimate: 2 model calls').waitFor();
  expect(await dialog().getByRole('columnheader').allInnerTexts()).toEqual([
    'Email',
    'Before',
    'After',
    'Confidence',
    'Reason',
  ]);
  expect(await row('Invoice 7').innerText()).toContain('No rule');
  await button('Run the test', dialog()).click();
  await dialog().getByText('2 of 2 emails tested, 1 changed').waitFor();
  expect(await row('Invoice 7').innerText()).toMatch(/Applies[\s\S]*Changed[\s\S]*\d+%/);
  expect(await row(bold).innerText()).toContain('Does not apply');
  expect([await page.evaluate('window.broken'), await stored()]).toEqual([undefined, 0]);
  await button('Back to the rule', dialog()).click();
  await button('Save', dialog()).click();

  await button('Edit', row('To pay')).click();
  await button('Test', dialog()).click();
  await button('Estimate', dialog()).click();
  const expected = field('Expected of Invoice 7 is due', dialog());
  await expected.selectOption('Applies');
  await dialog().getByText('0 of 1 not as expected').waitFor();
  await button('Back to the rule', dialog()).click();
  await field('Condition', dialog()).fill('The email is a newsletter');
  await button('Test', dialog()).click();
  await field('Search', dialog()).fill('nothing has this');
  await button('Estimate', dialog()).click();
  await button('Run the test', dialog()).click();
  // The email of the set is tested, although the search does not find it.
  await dialog().getByText('1 of 1 emails tested, 0 changed, 1 of 1 not as expected').waitFor();
  await row('Invoice 7').getByText('Not as expected', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const more = Array.from({ length: 10 }, (_, n) => rawMessage({ subject: `Newsletter ${n}` }));
  await stack.mailboxWrite.ingest({ mailboxId, messages: more }, { workspaceId });
  await stopAndContinue(page);
}

/** A test of twelve emails stops after its first call, which asks about eight, and goes on with the others. */
async function stopAndContinue(page: Page): Promise<void> {
  const { button, dialog, field, row } = locatorsOf(() => page);
  await button('Edit', row('To pay')).click();
  await field('Condition', dialog()).fill('The email is a newsletter');
  await button('Test', dialog()).click();
  await button('Estimate', dialog()).click();
  await button('Run the test', dialog()).waitFor();
  let release: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/rule-tests$/, (route) => stopped.then(() => route.continue()));
  await button('Run the test', dialog()).click();
  await button('Stop', dialog()).click();
  release();
  await dialog().getByText('8 of 12 emails tested').waitFor();
  await button('Continue', dialog()).click();
  await dialog().getByText('12 of 12 emails tested').waitFor();
  expect(await button('Continue', dialog()).count()).toBe(0);
  await page.unroute(/\/rule-tests$/);
  await page.keyboard.press('Escape');
}
