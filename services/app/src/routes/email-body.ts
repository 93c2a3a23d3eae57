import type { AppServices } from './services.ts';
import type { WorkspaceVisit } from './route.ts';

/** The body of an email for people, whose html may show images of others once they ask for them. */
export const readableBody = (
  emailId: string,
  { mailboxRead }: Pick<AppServices, 'mailboxRead'>,
  visit: WorkspaceVisit,
) => mailboxRead.getEmailBody({ emailId, asStored: false, remoteImages: true }, visit);
