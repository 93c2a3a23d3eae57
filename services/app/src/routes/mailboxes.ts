import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { isAddress } from '@postroom/contract/address';
import { serverAt } from '@postroom/mail-server/server-address';
import type { GetSyncStateResponse } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import { toJsonMailbox } from '@postroom/resources/mailbox';
import { z } from 'zod';
import type { MailboxDetailAnswer, SyncAnswer } from '../answers/answers.ts';
import { connecting, reviving } from './connecting.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

const serverField = z
  .string()
  .trim()
  .regex(/^(\[[\da-f:.]+\]|[^\s:/]+):\d{1,5}$/i, 'must be a server and its port, such as mail.example.com:993');
const password = z.string().min(1, 'is required').max(1_024, 'must have at most 1024 characters');
const connectRequest = z.strictObject({
  email: z.string().trim().refine(isAddress, 'must be one plain email address'),
  name: z.string().trim().max(200, 'must have at most 200 characters').optional(),
  imap: serverField,
  smtp: serverField,
  user: z.string().trim().max(320, 'must have at most 320 characters').optional(),
  password,
});
const reconnectRequest = z.strictObject({ password: password.optional() }).optional();

export const mailboxAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/mailboxes',
    needs: 'member',
    call: async (_input, { mailboxRead }, visit) => ({
      items: (await mailboxRead.listMailboxes({}, visit)).items.map(toJsonMailbox),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/mailboxes/{mailboxId}',
    needs: 'member',
    call: async ({ params }, services, visit): Promise<MailboxDetailAnswer> => {
      const mailbox = await findMailbox(params.mailboxId, services, visit);
      const [sync, server] = await Promise.all([
        syncOf(mailbox, services, visit),
        visit.role === 'member' ? null : serverOf(mailbox.id, services, visit),
      ]);
      return { mailbox: toJsonMailbox(mailbox), sync, server };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailboxes',
    needs: 'admin',
    body: connectRequest,
    call: async ({ params: { workspaceId }, body }, services, visit) => {
      const { email, name, imap, smtp, user = email } = body;
      const request = { workspaceId, email, name: name || undefined, aliases: [], withoutTrash: false };
      const typed = { imapAddress: imap, smtpAddress: smtp, user, password: body.password };
      const { items } = await services.mailboxRead.listMailboxes({}, visit);
      if (items.some((one) => one.email.toLowerCase() === email.toLowerCase()))
        throw new ApiError('CONFLICT', {
          message: 'This address is connected already; reconnect its mailbox instead.',
        });
      const store = (server: typeof typed) => services.workspaces.connectMailbox({ ...request, server }, visit);
      return connecting(typed, store, services, visit);
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailboxes/{mailboxId}/reconnect',
    needs: 'admin',
    body: reconnectRequest,
    call: async ({ params: { mailboxId }, body }, services, visit) => {
      const { workspaces } = services;
      await findMailbox(mailboxId, services, visit);
      const typed = body?.password;
      const { server } = await workspaces.locateMailbox({ mailboxId }, visit);
      if (typed !== undefined && !server) refuse('password', 'is not used: this mailbox has no mail server of its own');
      const store = () => workspaces.reconnectMailbox({ mailboxId, password: typed }, visit);
      if (typed === undefined || !server) return reviving(store);
      return connecting({ ...server, password: typed }, store, services, visit);
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailboxes/{mailboxId}/disconnect',
    needs: 'admin',
    call: async ({ params: { mailboxId } }, services, visit) => {
      await findMailbox(mailboxId, services, visit);
      return { mailbox: toJsonMailbox(await services.workspaces.disconnectMailbox({ mailboxId }, visit)) };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/mailboxes/{mailboxId}/sync',
    needs: 'admin',
    status: 202,
    call: async ({ params: { mailboxId } }, services, visit) => {
      await findMailbox(mailboxId, services, visit);
      return services.mailboxSync.syncNow({ mailboxId }, visit);
    },
  }),
];

/** The calls of workspace name a mailbox by its id alone, so that it is one of this workspace is found out first. */
async function findMailbox(mailboxId: string, { mailboxRead }: AppServices, visit: WorkspaceVisit): Promise<Mailbox> {
  const { items } = await mailboxRead.listMailboxes({}, visit);
  const mailbox = items.find(({ id }) => id === mailboxId);
  if (mailbox) return mailbox;
  throw new ApiError('MAILBOX_NOT_FOUND');
}

async function serverOf(mailboxId: string, { workspaces }: AppServices, visit: WorkspaceVisit) {
  const { server } = await workspaces.locateMailbox({ mailboxId }, visit);
  if (!server) return null;
  const { imapAddress: imap, smtpAddress: smtp, user } = server;
  return { imap, smtp, user, consentProvider: await consentProviderAt(imap, workspaces, visit) };
}

async function consentProviderAt(imap: string, workspaces: AppServices['workspaces'], visit: WorkspaceVisit) {
  const { items } = await workspaces.listConsentProviders({}, visit);
  const { host, port } = serverAt(imap);
  const found = items.find(({ isConfigured, imapAddress }) => {
    const theirs = serverAt(imapAddress);
    return isConfigured && theirs.host === host && theirs.port === port;
  });
  return found?.id ?? null;
}

/** Null for a mailbox of the development mail server, which hands its mail over by itself. */
export async function syncOf(
  { id, provider }: Pick<Mailbox, 'id' | 'provider'>,
  { mailboxSync }: AppServices,
  visit: WorkspaceVisit,
): Promise<SyncAnswer | null> {
  if (provider === 'development') return null;
  return toJsonSync(await mailboxSync.getSyncState({ mailboxId: id }, visit));
}

function toJsonSync({ lastSyncedAt, failCount, lastError, isHeld, folders }: GetSyncStateResponse): SyncAnswer {
  return {
    lastSyncedAt: lastSyncedAt ?? null,
    failCount,
    lastError: lastError ?? null,
    isConnected: isHeld,
    folders: folders.map(({ type, ...folder }) => ({ ...folder, type: type === 'OTHER' ? null : type })),
  };
}
