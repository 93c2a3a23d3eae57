import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);

/** A mail server that no one here wrote, and the command by which it is set up and disturbed. */
export interface MailServer {
  address: string;
  /** The same server, through a relay that can be told to break the wire. */
  relayAddress: string;
  /** Gives the command these words, as a shell would: `mail message load USER INBOX 100`. */
  control(...words: string[]): Promise<string>;
  /** Somebody new, with this password. */
  user(): Promise<string>;
  /** Another mail program of that user. */
  client(user: string): Promise<ImapFlow>;
}

export const PASSWORD = 'correct horse';

/** The server looks for new users once a second at most, and refuses those whom it has not seen yet. */
const KNOWN_WITHIN_MS = 15_000;
const isUnknownYet = (error: unknown) => /AUTHENTICATIONFAILED/.test(String((error as { stderr?: unknown }).stderr));

/** By the variables that name it: its address, and the command that controls it. */
export function mailServer(address: string, command: string, relayAddress = ''): MailServer {
  const inBash = (words: readonly string[]) => ['-c', `${command} "$@"`, 'control', ...words];
  const once = async (...words: string[]) => (await run('bash', inBash(words), { maxBuffer: 1e8 })).stdout;
  const control = async (...words: string[]) => {
    for (const end = Date.now() + KNOWN_WITHIN_MS; ;)
      try {
        return await once(...words);
      } catch (error) {
        if (!isUnknownYet(error) || Date.now() > end) throw error;
      }
  };
  const login = async (user: string) => {
    const [host, port] = address.split(':');
    const opened = new ImapFlow({
      host: host ?? '',
      port: Number(port),
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass: PASSWORD },
      logger: false,
      disableCompression: true,
      disableAutoIdle: true,
    });
    opened.on('error', () => undefined);
    try {
      await opened.connect();
    } catch (error) {
      // Refused, the line would stay open until the server ends it.
      opened.close();
      throw error;
    }
    return opened;
  };
  return {
    address,
    relayAddress,
    control,
    user: async () => {
      const user = `${randomBytes(5).toString('hex')}@mail.test`;
      // The command writes the list of users anew, so two files of tests take turns.
      const add = ['bash', ...inBash(['user', 'add', user, '--password', PASSWORD])];
      await run('flock', [join(tmpdir(), `mail-users-${address}.lock`), ...add]);
      return user;
    },
    client: (user) => eventually(() => login(user), KNOWN_WITHIN_MS, 100),
  };
}
