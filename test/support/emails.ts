import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { emailDocument, type EmailParts } from './email-document.ts';
import type { TestStack } from './stack.ts';
import type { TestWorkspace } from './workspace.ts';

/** Puts emails straight into the database, for states and numbers that the calls of the service would take long for. */
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

/** Asks one workspace after another for its emails: `of` says which it is at the moment. */
export function emailList(of: () => { stack: TestStack; workspace: TestWorkspace }) {
  const list = (parameters: Record<string, unknown> = {}) => of().workspace.read.get(`/emails?${queryOf(parameters)}`);
  return {
    put: (...emails: EmailParts[]) => putEmails(of().stack, of().workspace.id, emails),
    list,
    /** Of a page that has to come. */
    subjects: async (parameters: Record<string, unknown> = {}): Promise<string[]> => {
      const { status, body } = await list(parameters);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.items.map(({ subject }: { subject: string }) => subject);
    },
  };
}

/** A condition of a filter tree. */
export const condition = (label: string, type: string, value = '') => ({ id: 'c', label, type, value });

/** Two tenants: emails for the one to change, and one of the other's that it must not reach. */
export async function mineAndTheirs(stack: TestStack, count: number) {
  const [mine, theirs] = [await stack.workspace(), await stack.workspace()];
  const [mailbox, other] = [await mine.connectMailbox(), await theirs.connectMailbox()];
  const messages = Array.from({ length: count }, (_, index) => ({ subject: `Mail ${index}` }));
  const emailIds = await mine.ingest(mailbox.id, messages);
  const [foreignId = ''] = await theirs.ingest(other.id, [{}]);
  return { mine, theirs, emailIds, foreignId };
}
