import { loginFaultOf } from '@postroom/mail-server/login-fault';
import { serverAt } from '@postroom/mail-server/server-address';
import { tryTls } from '@postroom/mail-server/try-tls';
import type { TryLoginRequest, TryLoginResponse } from '@postroom/proto/postroom/v1/resources';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { SessionDeps } from '../session/session.ts';
import { ImapFault } from '../imap/imap-fault.ts';

/** The capabilities that change how a mailbox is synced. */
const TOLD = ['IDLE', 'CONDSTORE', 'QRESYNC', 'SPECIAL-USE', 'MOVE', 'UIDPLUS', 'X-GM-EXT-1'];

export interface TryLoginDeps {
  session: Pick<SessionDeps, 'connect'> & {
    access: Pick<Client<typeof MailboxAccessServiceDefinition>, 'getConsentAccess'>;
  };
}

export function tryLoginHandlers({ session }: TryLoginDeps) {
  return { tryLogin: (request, call) => tryLogin(request, call, session) } satisfies Partial<
    Handlers<MailboxSyncServiceDefinition>
  >;
}

/** Logs in and out again, so that the person who connects a mailbox learns its fault at once. */
async function tryLogin(
  request: TryLoginRequest,
  call: Call,
  { connect, access }: TryLoginDeps['session'],
): Promise<TryLoginResponse> {
  const { consentId } = request;
  const { workspaceId } = call;
  const login =
    consentId === undefined
      ? { ...request, imapAddress: request.address }
      : await access.getConsentAccess({ workspaceId, consentId }, call);
  const { ca } = login;
  const { address, fault } = await tryTls(login.imapAddress, ca, 'imap');
  const answer = { address, isEncrypted: serverAt(address, ca).security !== 'plain', capabilities: [] };
  if (fault) return { ...answer, fault };
  try {
    const connection = await connect({ ...login, imapAddress: address }, call.signal);
    const capabilities = TOLD.filter((name) => connection.has(name));
    connection.close();
    return { ...answer, capabilities };
  } catch (error) {
    const isRefused = error instanceof ImapFault && error.kind === 'refusal';
    return { ...answer, fault: isRefused ? 'login_refused' : loginFaultOf(error) };
  }
}
