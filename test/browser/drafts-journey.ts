import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { emailDocument } from '../support/email-document.ts';
import { rawMessage } from '../support/message.ts';
import type { TestStack } from '../support/stack.ts';
import { openWaitingReply } from '../support/waiting-reply.ts';
import { locatorsOf } from './app-locators.ts';
import { keyboardOf } from './keyboard.ts';

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
