import { ApiError } from '@postroom/errors/api-error';
import { PLANS, SCOPES } from '@postroom/mail-store/documents/workspace';
import { z } from 'zod';
import { isAddress } from './address.ts';

// Control characters have no business in a name, and would bend a table or a header later on.
const label = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(longest, `must be at most ${longest} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

const plan = z.enum(PLANS, 'must be free, premium or expert');
const moment = z.iso.datetime({ offset: true, error: 'must be a date and time such as 2027-01-31T00:00:00Z' });
const address = z.string().trim().refine(isAddress, 'must be one plain email address');
const hostAndPort = z.string().regex(/^[^\s:/]+:\d{1,5}$/, 'must be host:port');

export const createWorkspaceRules = z.object({ name: label(100), plan });

export const changePlanRules = z
  .object({ plan, until: moment.optional() })
  .refine(({ plan: wanted, until }) => wanted !== 'free' || until === undefined, {
    path: ['until'],
    error: 'goes with premium or expert only: the free plan does not end',
  });

export const createKeyRules = z
  .object({
    name: label(80),
    scopes: z.array(z.enum(SCOPES, 'must be read or write')).min(1, 'must name read, write or both'),
    allowOutboundSend: z.boolean(),
    expiresAt: moment.optional(),
  })
  .refine(({ allowOutboundSend, scopes }) => !allowOutboundSend || scopes.includes('write'), {
    path: ['allowOutboundSend'],
    error: 'needs the write scope',
  });

export const connectMailboxRules = z.object({
  email: address,
  name: label(200).optional(),
  aliases: z.array(address).max(100, 'must be at most 100'),
  withoutTrash: z.boolean(),
  server: z
    .object({ imapAddress: hostAndPort, smtpAddress: hostAndPort, user: label(320), password: z.string().min(1) })
    .optional(),
});

export const createSignatureRules = z.object({
  name: label(100),
  html: z.string().min(1, 'must not be empty').max(65_536, 'must be at most 65536 characters'),
  isDefault: z.boolean(),
  mailboxId: z.string().optional(),
});

/** The request as the rules read it, or a refusal that names each faulty field. */
export function parseRequest<T>(rules: z.ZodType<T>, request: unknown): T {
  const result = rules.safeParse(request);
  if (result.success) return result.data;
  const details: Record<string, string[]> = {};
  for (const issue of result.error.issues) (details[issue.path.join('.')] ??= []).push(issue.message);
  throw new ApiError('VALIDATION_FAILED', { details });
}
