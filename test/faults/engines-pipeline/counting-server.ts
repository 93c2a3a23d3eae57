import { readFileSync } from 'node:fs';
import { mailServer } from '../../engines/support/mail-server.ts';
import { openMailSink } from '../../support/mail-sink.ts';

/** A message as the server has it. */
export interface Counted {
  messageId: string;
  subject: string;
}

/** The server that all mail goes out by: what it has accepted is the only truth about what was sent. */
export interface CountingServer {
  name: string;
  address: string;
  /** It takes mail to these. */
  admit(addresses: readonly string[]): Promise<void>;
  accepted(): Promise<Counted[]>;
  close(): Promise<void>;
}

/** A real one where it is given, which has accepted nothing yet. */
export async function openCountingServer(address = '', command = ''): Promise<CountingServer> {
  return address && command ? realServer(address, command) : sink();
}

async function sink(): Promise<CountingServer> {
  const { address, caught, close } = await openMailSink();
  return {
    name: 'sink',
    address,
    admit: async () => undefined,
    accepted: async () => caught.map(({ raw }) => countedOf(raw)),
    close,
  };
}

async function realServer(address: string, command: string): Promise<CountingServer> {
  const { control } = mailServer(address, command);
  await control('caught', 'clear');
  return {
    name: 'exim',
    address,
    admit: async (addresses) => {
      for (const name of addresses) await control('user', 'add', name);
    },
    accepted: async () => {
      const lines = (await control('caught', 'list')).split('\n').filter(Boolean);
      return lines.map((line) => countedOf(readFileSync((JSON.parse(line) as { raw: string }).raw, 'utf8')));
    },
    close: async () => undefined,
  };
}

function countedOf(raw: string): Counted {
  const field = (name: string) => new RegExp(`^${name}: *(.+?)\\r?$`, 'im').exec(raw)?.[1] ?? '';
  return { messageId: field('Message-ID'), subject: field('Subject') };
}
