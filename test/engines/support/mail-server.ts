import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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

/** By the variables that name it: its address, and the command that controls it. */
export function mailServer(address: string, command: string, relayAddress = ''): MailServer {
  const control = async (...words: string[]) =>
    (await run('bash', ['-c', `${command} "$@"`, 'control', ...words], { maxBuffer: 1e8 })).stdout;
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
      await control('user', 'add', user, '--password', PASSWORD);
      return user;
    },
    // The server looks for new users once a second at most, and refuses those whom it has not seen yet.
    client: (user) => eventually(() => login(user), 5_000, 100),
  };
}
