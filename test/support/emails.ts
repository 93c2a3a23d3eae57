import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { emailDocument, type EmailParts } from './email-document.ts';
import type { TestStack } from './stack.ts';

/** Puts emails straight into the database, for states and numbers that the doors of the service would take long for. */
export async function putEmails(stack: TestStack, workspaceId: string, emails: EmailParts[]): Promise<EmailDocument[]> {
  const documents = emails.map((parts) => emailDocument({ ...parts, workspaceId }));
  // The driver's own insert: mongoose would build and check each of thousands of documents.
  if (documents.length > 0) await stack.collections.emails.collection.insertMany(documents as never[]);
  return documents;
}

/** A moment of the day that tests live in, so many minutes in. */
export const minute = (count: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + count * 60_000);

/** Parameters of a query as they stand in an address; a filter tree goes as JSON. */
export function queryOf(parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    query.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return query.toString();
}
