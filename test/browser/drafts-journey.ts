import { expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../engines/eventually.ts';
import { emailDocument } from '../support/email-document.ts';
import { rawMessage } from '../support/message.ts';
import type { TestStack } from '../support/stack.ts';
import { openWaitingReply } from '../support/waiting-reply.ts';
import { locatorsOf } from './app-locators.ts';
import { keyboardOf } from './keyboard.ts';

/** The app does not ask for a list again that is younger. */
const PAST_FRESH_MS = 5_100;

/** An owner stops two replies that wait: one by its button, the other by editing it with the keyboard; a third one has left. */
export async function workOnDrafts(page: Page, stack: TestStack, workspaceId: string): Promise<void> {
  const { button, card, field, go, heading } = locatorsOf(() => page);
  const { press } = keyboardOf(page);
  const { collections } = stack;
  const asked = { workspaceId, email: 'replies@acme.example', aliases: [], withoutTrash: false };
  const mailbox = await stack.workspaces.connectMailbox(asked, {});
  const left = await openWaitingReply(stack, workspaceId, mailbox, 'left');
  const other = await openWaitingReply(stack, workspaceId, mailbox, 'other');
  await openWaitingReply(stack, workspaceId, mailbox, 'stopped');
  await storeLongDraft(stack, workspaceId, mailbox.id);
  await go('Drafts');
  const replies = page.getByRole('list', { name: 'Automatic replies' });
  expect(await card('Re: stopped').innerText()).toMatch(/leaves in \d\d:\d\d/);
  expect(await card('Re: stopped').innerText()).toContain('Tuesday is fine.');
  await card('Long').scrollIntoViewIfNeeded();
  await card('Long').getByText('It ends.').waitFor();
  await button('Cancel', card('Re: stopped')).click();
  await page.getByRole('list', { name: 'Drafts' }).getByText('Re: stopped').waitFor();

  await collections.sends.updateOne({ workspaceId, draftId: left }, { state: 'data_ending' });
  await button('Cancel', card('Re: left')).click();
  await page.getByRole('alert').getByText('This reply is leaving now, or has left already.').waitFor();
  await collections.sends.updateOne({ workspaceId, draftId: left }, { state: 'canceled' });

  await replies.getByRole('listitem').filter({ hasText: 'Re: other' }).focus();
  await press('Enter');
  await heading('Edit draft').waitFor();
  await field('Text').fill('Wednesday is better.');
  // Mail that comes in meanwhile, and another window that asks for the draft, take nothing from the edit.
  await stack.mailboxWrite.ingest({ mailboxId: mailbox.id, messages: [rawMessage({})] }, { workspaceId });
  expect(await field('Text').inputValue()).toBe('Wednesday is better.');
  await field('To').fill('nobody');
  await page.getByText('“nobody” is no email address.').waitFor();
  await field('To').fill('eve@other.example');
  await button('Save').click();
  await card('Wednesday is better.').getByText('eve@other.example').waitFor();
  expect(await collections.sends.countDocuments({ workspaceId, kind: 'reply', state: 'scheduled' })).toBe(0);
  expect(await collections.emails.countDocuments({ _id: other, folderType: 'TRASH' })).toBe(1);

  await button('Discard', card('Wednesday is better.')).click();
  await card('Wednesday is better.').waitFor({ state: 'detached' });
  await button('Undo').click();
  await card('Wednesday is better.').waitFor();
}

/** A draft whose text is longer than its part in the list. */
async function storeLongDraft({ collections }: TestStack, workspaceId: string, mailboxId: string): Promise<void> {
  const where = { workspaceId, mailboxId, folderId: 'drafts', folderType: 'DRAFTS', isDraft: true } as const;
  const email = emailDocument({
    ...where,
    subject: 'Long',
    text: 'It begins.',
    date: new Date('2026-01-01T00:00:00Z'),
  });
  const text = `It begins.\n${'It goes on.\n'.repeat(500)}It ends.`;
  await collections.emails.insertOne(email);
  await collections.bodies.insertOne({
    _id: email._id,
    workspaceId,
    mailboxId,
    html: null,
    text,
    createdAt: email.date,
  });
}

/** An owner sends no text that is not on the screen yet, and cancels and edits while it is on its way. */
export async function sendOnlyWhatIsShown(
  page: Page,
  stack: TestStack,
  workspaceId: string,
  open: (path: string) => Promise<unknown>,
): Promise<void> {
  const { button, card, field, go, heading } = locatorsOf(() => page);
  const { emails, sends } = stack.collections;
  const asked = { workspaceId, email: 'texts@acme.example', aliases: [], withoutTrash: false };
  const mailbox = await stack.workspaces.connectMailbox(asked, {});
  const shown = await openWaitingReply(stack, workspaceId, mailbox, 'shown');
  const canceled = await openWaitingReply(stack, workspaceId, mailbox, 'canceled');
  const edited = await openWaitingReply(stack, workspaceId, mailbox, 'edited');
  const texts = await holdTexts(page);
  await open('/drafts');
  const send = (subject: string) => button('Send now', card(`Re: ${subject}`));
  const textOf = (subject: string) => field('Text', card(`Re: ${subject}`));
  const states = () => Promise.all(['shown', 'canceled', 'edited'].map((subject) => send(subject).isEnabled()));

  for (const id of [shown, canceled, edited]) await texts.asked(id, 1);
  expect(await states()).toEqual([false, false, false]);
  await texts.release(shown);
  await textOf('shown').getByText('Tuesday is fine.').waitFor();
  expect(await states()).toEqual([true, false, false]);

  await button('Cancel', card('Re: canceled')).click();
  await page.getByRole('list', { name: 'Drafts' }).getByText('Re: canceled').waitFor();
  const reply = await sends.findOne({ workspaceId, draftId: canceled }).lean();
  expect([reply?.state, await send('canceled').isEnabled()]).toEqual(['canceled', false]);

  // Its row names another state of the draft from now on, whose text is not here.
  const date = new Date((await emails.findOne({ _id: shown }).lean())?.date.getTime() ?? 0);
  await emails.updateOne({ _id: shown }, { date: new Date(date.getTime() - 60_000) });
  await go('Home');
  await page.clock.fastForward(PAST_FRESH_MS);
  await go('Drafts');
  await texts.asked(shown, 2);
  expect((await states())[0]).toBe(false);
  await texts.releaseAll();
  for (const subject of ['shown', 'canceled', 'edited']) {
    await card(`Re: ${subject}`).scrollIntoViewIfNeeded();
    await textOf(subject).waitFor();
  }
  expect(await states()).toEqual([true, true, true]);

  await button('Edit', card('Re: edited')).click();
  await heading('Edit draft').waitFor();
  expect(await field('Text').inputValue()).toContain('Tuesday is fine.');
  await field('Text').fill('Friday is better.');
  await button('Save').click();
  await field('Text', card('Friday is better.')).waitFor();
  expect(await button('Send now', card('Friday is better.')).isEnabled()).toBe(true);
}

/** The requests for texts of drafts do not reach the service until they are released. */
async function holdTexts(page: Page) {
  const texts = /\/drafts\/eml_[^/]+$/;
  const routes: Route[] = [];
  const of = (draftId: string) => routes.filter((route) => route.request().url().endsWith(draftId));
  await page.route(texts, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    routes.push(route);
  });
  return {
    /** Resolves once the text of this draft was asked for so often. */
    asked: (draftId: string, times: number) =>
      eventually(() => expect(of(draftId).length).toBeGreaterThanOrEqual(times), 30_000),
    release: async (draftId: string) => {
      for (const route of of(draftId)) await route.continue();
    },
    releaseAll: async () => {
      await page.unroute(texts);
      // A page that was left does not wait for its requests any more.
      for (const route of routes) await route.continue().catch(() => undefined);
    },
  };
}
