import { expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { writtenTo } from '@postroom/mail-store/migrations/0054-written-to';
import type { MigrationStep } from '@postroom/mail-store/migrations/step';
import { emailDocument } from '../support/email-document.ts';
import { useMigrationWorld } from './migrate.ts';

const first: MigrationStep = { title: 'the first', parts: [] };
const declared = { emails: [] };

const world = useMigrationWorld();

it('sent mail and drafts of earlier versions say whom they are written to, and no other mail does', async () => {
  const emails = world.connection.collection<EmailDocument>('emails');
  await world.run({ steps: [first], declared });
  const to = [{ email: 'Bob@Other.example', name: 'Bob' }];
  const bcc = [{ email: 'eve@other.example', name: null }];
  await emails.insertMany([
    emailDocument({ _id: 'eml_1', folderType: 'SENT', to, bcc }),
    emailDocument({ _id: 'eml_2', folderType: 'DRAFTS', isDraft: true, to }),
    emailDocument({ _id: 'eml_3', folderType: 'INBOX', to }),
    emailDocument({ _id: 'eml_4', folderType: 'SENT', to, writtenTo: ['as@sent.example'] }),
  ]);
  const steps = [first, writtenTo];
  await world.runUntil(1, { steps, declared });
  await world.run({ steps, declared });
  const stored = await emails.find().sort({ _id: 1 }).toArray();
  expect(stored.map((email) => email.writtenTo)).toEqual([
    ['bob@other.example', 'eve@other.example'],
    ['bob@other.example'],
    undefined,
    ['as@sent.example'],
  ]);
});
