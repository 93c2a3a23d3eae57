import { expect, it } from '@jest/globals';
import { createSmtpServers } from './smtp-servers.ts';

function world() {
  const reads: string[] = [];
  const providers: Record<string, string> = { dev: 'development', real: 'imap' };
  const serverOf = createSmtpServers({
    mailReader: {
      mailbox: async (_workspaceId, mailboxId) => {
        reads.push(mailboxId);
        const provider = providers[mailboxId];
        return provider === undefined ? null : ({ _id: mailboxId, provider } as never);
      },
    },
    accessOf: async (_workspaceId, mailboxId) => {
      if (providers[mailboxId] === undefined) throw new Error('MAILBOX_NOT_FOUND');
      return { smtpAddress: 'smtps://smtp.far.example:465', user: 'ann', password: 'secret' } as never;
    },
    developmentAddress: 'smtp://127.0.0.1:2525',
  });
  const hostOf = async (mailboxId: string) => (await serverOf({ workspaceId: 'w', mailboxId })).host;
  return { reads, providers, hostOf };
}

it('reads once in a process whether a mailbox has a server, and asks for the access each time', async () => {
  const { reads, providers, hostOf } = world();
  expect([await hostOf('real'), await hostOf('dev'), await hostOf('real'), await hostOf('dev')]).toEqual([
    'smtp.far.example',
    '127.0.0.1',
    'smtp.far.example',
    '127.0.0.1',
  ]);
  expect(reads).toEqual(['real', 'dev']);
  delete providers['real'];
  await expect(hostOf('real')).rejects.toThrow('MAILBOX_NOT_FOUND');
});

it('has no server for a mailbox that is gone', async () => {
  await expect(world().hostOf('gone')).rejects.toThrow('the mailbox is gone');
});
