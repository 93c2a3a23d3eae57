import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
let postroom: CommandLine;
const folder = mkdtempSync(join(tmpdir(), 'postroom-mailbox-'));
beforeAll(async () => {
  stack = await startStack();
  postroom = commandLine(addressesOf(stack));
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

const newWorkspace = async () => (await stack.workspace()).id;

describe('the command line of mailboxes', () => {
  it('connects nothing that cannot be logged in to, and says why', async () => {
    const workspace = await newWorkspace();
    const password = join(folder, 'wrong');
    writeFileSync(password, 'canary');
    const server = [
      '--imap',
      '127.0.0.1:9',
      '--smtp',
      'mail.invalid:465',
      '--user',
      'ann',
      '--password-file',
      password,
    ];
    const said = await postroom('mailbox', 'connect', '--workspace', workspace, '--email', 'x@example.com', ...server);
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(
      /nothing is connected.*IMAP at .*nothing answers there.*SMTP at .*no host of this name/,
    );
    expect(said.stderr).not.toContain('canary');
    expect(await postroom.json('mailbox', 'list', '--workspace', workspace)).toEqual({ items: [] });
  });

  it('shows how far a mailbox is synchronized, and starts a pass', async () => {
    const own = ['--workspace', await newWorkspace(), '--email', 'own@example.com'];
    const { id } = await postroom.json('mailbox', 'connect', ...own);
    const state = { id, status: 'active', isConnected: false, lastSyncedAt: null, lagSeconds: null, lastError: null };
    expect(await postroom.json('mailbox', 'status', '--mailbox', id)).toMatchObject(state);
    expect((await postroom('mailbox', 'status', '--mailbox', id)).stdout).toMatch(
      /Inbox\W+INBOX[^]*never synchronized yet/,
    );
    expect(await postroom.json('mailbox', 'sync', '--now', '--mailbox', id)).toEqual({ id });
    expect((await postroom('mailbox', 'sync', '--mailbox', id)).stderr).toContain('--now is missing');
  });
});
