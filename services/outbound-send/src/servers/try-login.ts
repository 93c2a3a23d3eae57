import { loginFaultOf } from '@postroom/mail-server/login-fault';
import { tryTls } from '@postroom/mail-server/try-tls';
import type { TryLoginRequest, TryLoginResponse } from '@postroom/proto/postroom/v1/resources';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { MailboxAccess } from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import {
  defaultLimits,
  isLoginRefused,
  offersOf,
  openSmtpConnection,
  sayGoodbye,
  SmtpUnfit,
} from '../smtp/connection.ts';
import { loginOf, smtpServer } from './smtp-servers.ts';

/** Together with what went before within the time of a call. */
const LIMITS = { ...defaultLimits, connectMs: 5_000, silenceMs: 5_000, loginMs: 5_000 };

export interface TrySmtpLoginDeps {
  /** The server and the token of a consent that a person has given. */
  accessOfConsent(consentId: string, call: Call): Promise<MailboxAccess>;
}

export function trySmtpLoginHandlers({ accessOfConsent }: TrySmtpLoginDeps) {
  return {
    tryLogin: async (request, call) => {
      const { consentId } = request;
      if (consentId === undefined) return tryLogin(request);
      const access = await accessOfConsent(consentId, call);
      return tryLogin({ ...access, address: access.smtpAddress });
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

/** Logs in and leaves: whoever is about to connect a mailbox hears what is wrong while it can be put right. */
async function tryLogin({ ca, ...request }: TryLoginRequest): Promise<TryLoginResponse> {
  const { address, fault } = await tryTls(request.address, ca, 'smtp');
  const server = smtpServer(address, ca, loginOf(request));
  const answer = { address, isEncrypted: !server.isPlain, capabilities: [] };
  if (fault) return { ...answer, fault };
  try {
    const connection = await openSmtpConnection(server, LIMITS);
    const { extensions, largestMessage } = offersOf(connection);
    sayGoodbye(connection, LIMITS);
    return { ...answer, capabilities: [...extensions], ...(largestMessage > 0 && { largestMessage }) };
  } catch (error) {
    return { ...answer, fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  if (error instanceof SmtpUnfit) return 'no_login';
  return isLoginRefused(error) ? 'login_refused' : loginFaultOf(error);
}
