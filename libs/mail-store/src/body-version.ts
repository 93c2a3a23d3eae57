import type { BodyDocument, EmailDocument } from './documents/email.ts';

export type VersionedEmail = Pick<EmailDocument, 'isDraft' | 'bodyVersion'>;

/** A mail program's save of a draft is two writes, so who reads between them finds the body of another version. */
export function isBodyOf(
  { version }: Pick<BodyDocument, 'version'>,
  { isDraft, bodyVersion }: VersionedEmail,
): boolean {
  return !isDraft || version === bodyVersion;
}
