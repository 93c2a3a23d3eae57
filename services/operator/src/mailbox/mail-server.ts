import type { MailServer } from '@postroom/proto/postroom/v1/workspace';
import { maybeOneOf, optional, UsageError } from '../command/option.ts';
import type { CommandDeps } from '../command/command-deps.ts';
import { readAuthority, readGrant, readPassword } from './credential-files.ts';
import { PRESETS, providers, type Preset } from '@postroom/mail-server/presets';

export const credentialOptions = {
  passwordFile: optional('--password-file <file>', 'a file that holds the password'),
  oauthFile: optional(
    '--oauth-file <file>',
    'a JSON file: tokenEndpoint or preset, clientId, clientSecret, refreshToken',
  ),
};

export const serverOptions = {
  preset: maybeOneOf('--preset <name>', `the servers of a provider: ${PRESETS.join(', ')}`, PRESETS),
  imap: optional('--imap <host:port>', 'where its mail is read'),
  smtp: optional('--smtp <host:port>', 'where its mail is sent'),
  user: optional('--user <name>', 'the name to log in with'),
  ...credentialOptions,
  ca: optional('--ca <file>', "the authority behind the servers' certificates, as PEM; without it the public ones"),
};

interface CredentialOptions {
  passwordFile: string | undefined;
  oauthFile: string | undefined;
}
interface ServerOptions extends CredentialOptions {
  preset: Preset | undefined;
  imap: string | undefined;
  smtp: string | undefined;
  user: string | undefined;
  ca: string | undefined;
}

/** Requires both servers or none: with one of them the fault would show only when the first mail is missing. */
export function readServer(options: ServerOptions, deps: CommandDeps): MailServer | undefined {
  if (Object.values(options).every((value) => value === undefined)) return undefined;
  const { preset, user, ca } = options;
  const { imap = preset && providers[preset].imap, smtp = preset && providers[preset].smtp } = options;
  const credentials = readCredentials(options, preset, deps);
  if (!imap || !smtp || !user || !credentials) {
    throw new UsageError(
      '--imap, --smtp, --user and --password-file or --oauth-file go together; --preset stands for the first two',
    );
  }
  return {
    imapAddress: imap,
    smtpAddress: smtp,
    user,
    password: credentials.password ?? '',
    grant: credentials.grant,
    ca: ca === undefined ? undefined : readAuthority(deps.path(ca)),
  };
}

export function readCredentials(
  { passwordFile, oauthFile }: CredentialOptions,
  preset: Preset | undefined,
  deps: Pick<CommandDeps, 'path'>,
): Partial<Pick<MailServer, 'password' | 'grant'>> | undefined {
  if (passwordFile && oauthFile) throw new UsageError('give --password-file or --oauth-file, not both');
  if (passwordFile) return { password: readPassword(deps.path(passwordFile)) };
  return oauthFile ? { grant: readGrant(deps.path(oauthFile), preset) } : undefined;
}
