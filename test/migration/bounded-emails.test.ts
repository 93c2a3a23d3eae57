import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bounds } from '@postroom/contract/bounds';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { boundedEmails } from '@postroom/mail-store/migrations/0008-bounded-emails';
import type { MigrationStep } from '@postroom/mail-store/migrations/step';
import { renderEmail } from '@postroom/mail-store/render';
import { emailDocument } from '../support/email-document.ts';
import { type MigrationWorld, openMigrationWorld } from './migrate.ts';

const declared = { emails: [], bodies: [] };
const first: MigrationStep = { title: 'the first', parts: [] };

let world: MigrationWorld;
beforeAll(async () => {
  world = await openMigrationWorld();
});
afterAll(() => world.close());

it('emails of before are within the bounds and have a Message-ID; what was so already is left alone', async () => {
  const people = Array.from({ length: 1_000 }, (_, n) => ({ email: `${n}@${'x'.repeat(900)}`, name: 'y'.repeat(900) }));
  const usual = emailDocument({ _id: 'eml_usual', messageId: '<usual@x.example>' });
  const heavy = { ...emailDocument({ _id: 'eml_heavy', messageId: '<heavy@x.example>' }), to: people, bcc: people };
  const nameless = { ...emailDocument({ _id: 'eml_nameless' }), messageId: '' };
  const before = [usual, { ...heavy, rendered: JSON.stringify(people) }, { ...nameless, rendered: 'old' }];
  await world.run({ steps: [first], declared });
  const emails = world.connection.collection<EmailDocument>('emails');
  await emails.insertMany(before);
  await world.run({ steps: [first, boundedEmails], declared });

  const [afterHeavy, afterNameless, afterUsual] = await emails.find().sort({ _id: 1 }).toArray();
  expect(afterUsual).toEqual(usual);
  expect(Buffer.byteLength(JSON.stringify([afterHeavy?.to, afterHeavy?.bcc]))).toBeLessThanOrEqual(bounds.emailBytes);
  expect(afterHeavy?.to.length).toBeGreaterThan(50);
  expect(Buffer.byteLength(afterHeavy?.rendered ?? '')).toBeLessThanOrEqual(bounds.listItem.bytes);
  expect(afterNameless?.messageId).toBe('<eml_nameless@without-id.invalid>');
  for (const email of [afterHeavy, afterNameless]) expect(email?.rendered).toBe(renderEmail(email as EmailDocument));
});
