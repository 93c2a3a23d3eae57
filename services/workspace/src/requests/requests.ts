import { ApiError } from '@postroom/errors/api-error';
import { isAddress } from '@postroom/contract/address';
import { bounds } from '@postroom/contract/bounds';
import { SCOPES } from '@postroom/contract/lists';
import { PLANS } from '@postroom/contract/plans';
import { faultInName } from '@postroom/contract/text';
import { z } from 'zod';

const name = (max: number) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      const fault = faultInName(value, { min: 1, max });
      if (fault) context.addIssue({ code: 'custom', message: fault });
    });

const plan = z.enum(PLANS, 'must be free, premium or expert');
const moment = z.iso.datetime({ offset: true, error: 'must be a date and time such as 2027-01-31T00:00:00Z' });
const address = z.string().trim().refine(isAddress, 'must be one plain email address');
const hostAndPort = z.string().regex(/^((imap|smtp)s?:\/\/)?(\[[\da-f:.]+\]|[^\s:/]+):\d{1,5}$/i, 'must be host:port');
const secret = z.string().min(1, 'must not be empty').max(16_384, 'must be at most 16384 characters');
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** It receives the credentials of a mailbox. */
export function isSafeEndpoint(endpoint: string): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

const grant = z.object({
  tokenEndpoint: z.string().refine(isSafeEndpoint, 'must be an https address'),
  clientId: z.string().min(1, 'must not be empty').max(1_024),
  clientSecret: secret.optional(),
  refreshToken: secret,
  scope: z.string().max(2_048).optional(),
});
const pem = z
  .string()
  .max(262_144)
  .regex(/-----BEGIN CERTIFICATE-----/, 'must be certificates as PEM');

export const grantRules = z.object({ grant });

export const createWorkspaceRules = z.object({ name: name(100), plan });

export const changePlanRules = z
  .object({ plan, until: moment.optional() })
  .refine(({ plan: wanted, until }) => wanted !== 'free' || until === undefined, {
    path: ['until'],
    error: 'goes with premium or expert only: the free plan does not end',
  });

export const createKeyRules = z
  .object({
    name: name(bounds.apiKeyName.max),
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
  name: name(200).optional(),
  aliases: z.array(address).max(100, 'must be at most 100'),
  withoutTrash: z.boolean(),
  server: z
    .object({
      imapAddress: hostAndPort,
      smtpAddress: hostAndPort,
      user: name(320),
      password: z.string(),
      grant: grant.optional(),
      ca: pem.optional(),
    })
    .refine(({ password, grant: given }) => (password === '') !== (given === undefined), {
      path: ['password'],
      error: 'or a grant of OAuth 2 must be there, and not both',
    })
    .optional(),
});

export const reconnectMailboxRules = z
  .object({ password: secret.optional(), grant: grant.optional() })
  .refine(({ password, grant: given }) => password === undefined || given === undefined, {
    path: ['password'],
    error: 'and a grant do not go together',
  });

export const createSignatureRules = z.object({
  name: name(100),
  html: z.string().min(1, 'must not be empty').max(65_536, 'must be at most 65536 characters'),
  isDefault: z.boolean(),
  mailboxId: z.string().optional(),
});

// These calls are made by operators and by the gateway, so a message may name the id and the command that helps.

export function unknownWorkspace(workspaceId: string): ApiError {
  const message = `There is no workspace "${workspaceId}"; "postroom workspace list" shows the ones there are.`;
  return new ApiError('NOT_FOUND', { message });
}

export function unknownKey(keyId: string): ApiError {
  const message = `There is no key "${keyId}" in this workspace; "postroom key list" shows the ones there are.`;
  return new ApiError('NOT_FOUND', { message });
}

export function unknownMailbox(mailboxId: string): ApiError {
  const message = `There is no mailbox "${mailboxId}"; "postroom mailbox list" shows the ones there are.`;
  return new ApiError('MAILBOX_NOT_FOUND', { message });
}
