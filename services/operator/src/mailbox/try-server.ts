import type { TryLoginRequest, TryLoginResponse } from '@postroom/proto/postroom/v1/resources';
import type { MailServer } from '@postroom/proto/postroom/v1/workspace';
import { CommandRefusal, type CommandDeps } from '../command/command-deps.ts';
import { keepRefreshToken } from './credential-files.ts';
import { wordsFor } from './fault-words.ts';

/** A server that accepted the login, with its capabilities. */
interface TriedServer {
  server: MailServer;
  imap: TryLoginResponse;
  smtp: TryLoginResponse;
}

type Way = 'imap' | 'smtp';

/** Logs in to both servers before anything is stored, and reports the fault of each. */
export async function tryServer(
  given: MailServer,
  oauthFile: string | undefined,
  deps: CommandDeps,
): Promise<TriedServer> {
  const { server, accessToken } = await withAccessToken(given, oauthFile, deps);
  const { user, ca } = server;
  const login = accessToken === undefined ? { password: server.password } : { accessToken };
  const at = (address: string): TryLoginRequest => ({ address, user, ca, ...login });
  const [imap, smtp] = await Promise.all([
    deps.mailboxSync().tryLogin(at(server.imapAddress), {}),
    deps.outboundSend().tryLogin(at(server.smtpAddress), {}),
  ]);
  const complaint = (way: Way, { address, fault }: TryLoginResponse) =>
    fault === undefined
      ? []
      : [`${way.toUpperCase()} at ${address}: ${wordsFor(fault, way, accessToken !== undefined)}`];
  const complaints = [...complaint('imap', imap), ...complaint('smtp', smtp)];
  if (complaints.length > 0) throw new CommandRefusal(`nothing is connected. ${complaints.join('. ')}`);
  return { server: { ...server, imapAddress: imap.address, smtpAddress: smtp.address }, imap, smtp };
}

/** The refresh token of the answer replaces the given one for the connection and for another try. */
async function withAccessToken(server: MailServer, oauthFile: string | undefined, deps: CommandDeps) {
  const { grant } = server;
  if (!grant) return { server };
  const { accessToken, refreshToken } = await deps.workspaces().requestTokens({ grant }, {});
  if (oauthFile && refreshToken !== grant.refreshToken) keepRefreshToken(deps.path(oauthFile), refreshToken);
  return { server: { ...server, grant: { ...grant, refreshToken } }, accessToken };
}

/** The capabilities that matter, one line for each server. */
export function abilityLines({ imap, smtp }: TriedServer): string[] {
  return [
    `IMAP at ${imap.address}${inTheClear(imap)}: ${abilities(imap, ['IDLE', 'CONDSTORE', 'QRESYNC', 'SPECIAL-USE'])}.`,
    `SMTP at ${smtp.address}${inTheClear(smtp)}: ${abilities(smtp, ['SMTPUTF8', '8BITMIME', 'DSN'])}${size(smtp)}.`,
  ];
}

function abilities({ capabilities }: TryLoginResponse, wanted: readonly string[]): string {
  const has = wanted.filter((name) => capabilities.includes(name));
  const lacks = wanted.filter((name) => !capabilities.includes(name));
  return [
    `has ${has.join(', ') || 'nothing more than it must'}`,
    ...(lacks.length ? [`not ${lacks.join(', ')}`] : []),
  ].join('; ');
}

function size({ largestMessage }: TryLoginResponse): string {
  return largestMessage === undefined ? '' : `; messages up to ${Math.floor(largestMessage / 1_048_576)} MB`;
}

function inTheClear({ isEncrypted }: TryLoginResponse): string {
  return isEncrypted ? '' : ', in the clear on this machine';
}
