import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../engines/eventually.ts';
import type { AppPeople } from '../support/app-client.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { locatorsOf } from './app-locators.ts';
import { faultsIn, NARROW_AND_LIGHT } from './page-faults.ts';

type Owner = Awaited<ReturnType<AppPeople['joined']>>;

const SUBJECTS = ['Invoice 1', 'Invoice 2', 'Invoice 3'];

/** An owner undoes the labels of a rule: in the Why panel, in Activity, and in a period on the page of the rule. */
export async function undoEffects(page: Page, workspace: TestWorkspace, owner: Owner): Promise<void> {
  const { button, dialog, field, heading, row, go } = locatorsOf(() => page);
  const faults: string[] = [];
  const size = page.viewportSize();
  const check = async (name: string) => {
    faults.push(...(await faultsIn(NARROW_AND_LIGHT, page, name)));
    if (size) await page.setViewportSize(size);
  };
  const mailbox = await workspace.connectMailbox();
  const body = { name: 'To pay', color: 'Red', condition: 'The email is an invoice' };
  await owner.call('POST', `${owner.workspace}/ai-label-rules`, { body });
  const ids = await workspace.ingest(
    mailbox.id,
    SUBJECTS.map((subject) => ({ subject })),
  );
  const labelled = async () => {
    const { items } = (await workspace.read.get('/emails')).body;
    const tagged = items.filter(({ tags }: { tags: unknown[] }) => tags.length > 0);
    return tagged.map(({ subject }: { subject: string }) => subject).toSorted();
  };
  await eventually(async () => expect(await labelled()).toEqual(SUBJECTS));

  await page.goto(`${new URL(page.url()).origin}/app/mail/${ids[0]}`);
  await button('Why is this here?').click();
  await heading('What rules did').waitFor();
  await check('Why panel');
  await button('Undo', page.getByRole('table', { name: 'Effects' })).click();
  await page.getByRole('table', { name: 'Effects' }).getByText('Undone,').waitFor();
  expect(await labelled()).toEqual(SUBJECTS.slice(1));

  await go('Activity');
  await field('Who').selectOption('Rule');
  await row('Invoice 2').waitFor();
  await check('Activity of rules');
  expect(await row('Invoice 1').innerText()).toContain('Undone');
  await button('Undo', row('Invoice 2')).click();
  await row('Invoice 2').getByText('Undone,').waitFor();
  expect(await labelled()).toEqual(SUBJECTS.slice(2));

  await page.getByRole('link', { name: 'To pay' }).first().click();
  await heading('Rule: To pay').waitFor();
  await button('Let patterns answer').click();
  await page.getByText('No patterns yet').waitFor();
  await button('Undo in a period').click();
  await check('Undo in a period');
  await button('Undo', dialog()).click();
  await dialog().getByText('Done: 1 undone').waitFor();
  expect(await labelled()).toEqual([]);
  await page.keyboard.press('Escape');
  await check('Page of the rule');
  expect(faults).toEqual([]);
}
