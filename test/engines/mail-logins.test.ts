import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import type { Json } from '../support/client.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';
import { mailServer, PASSWORD } from './support/mail-server.ts';
import { startSyncedStack, type SyncedStack } from './support/synced-mailbox.ts';

// Real servers on a busy machine take their time.
jest.setTimeout(120_000);

const { IMAP_ADDR, IMAPS_ADDR, SMTP_ADDR, SMTPS_ADDR, MAIL_CA, TOKEN_URL, MAIL_CONTROL } = process.env;
const isThere = IMAP_ADDR && IMAPS_ADDR && SMTP_ADDR && SMTPS_ADDR && MAIL_CA && TOKEN_URL && MAIL_CONTROL;
if (!isThere) {
  skipAloud(
    'logins to real mail servers (IMAP_ADDR, IMAPS_ADDR, SMTP_ADDR, SMTPS_ADDR, MAIL_CA, TOKEN_URL, MAIL_CONTROL)',
  );
}

(isThere ? describe : describe.skip)('a mailbox on real servers', () => {
  const [imap, imaps, smtp, smtps] = [IMAP_ADDR, IMAPS_ADDR, SMTP_ADDR, SMTPS_ADDR].map(String) as [
    string,
    string,
    string,
    string,
  ];
  const server = mailServer(imap, String(MAIL_CONTROL));
  const folder = mkdtempSync(join(tmpdir(), 'postroom-logins-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };

  const newName = () => `${randomBytes(5).toString('hex')}@mail.test`;
  /** Somebody with a password, and some who have tokens alone. */
  const known = { password: '', tokens: [newName(), newName(), newName()] };

  let stack: SyncedStack;
  let postroom: CommandLine;
  let workspaceId: string;
  let workspace: TestWorkspace;
  let user: string;
  beforeAll(async () => {
    stack = await startSyncedStack();
    // Servers look at their list of users once in a second.
    known.password = await server.user();
    for (const name of known.tokens) await server.control('user', 'add', name, '--oauth');
    postroom = commandLine(addressesOf(stack));
  });
  afterAll(async () => {
    await stack.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    workspace = await stack.workspace();
    workspaceId = workspace.id;
    user = known.password;
  });

  const password = () => ['--password-file', file('password', `${PASSWORD}\n`)];
  const authority = ['--ca', String(MAIL_CA)];
  const at = (imapAddress: string, smtpAddress: string) => [
    '--imap',
    imapAddress,
    '--smtp',
    smtpAddress,
    '--user',
    user,
  ];
  const connect = (...args: string[]) => ['mailbox', 'connect', '--workspace', workspaceId, '--email', user, ...args];
  /** A grant of the token server for a user without a password, as a file of the command line. */
  const grantFile = async (changes: object = {}) => {
    user = known.tokens.pop() ?? '';
    const { refresh_token: refreshToken } = JSON.parse(await server.control('token', 'issue', user)) as Json;
    return file('grant.json', JSON.stringify({ tokenEndpoint: TOKEN_URL, clientId: 'c', refreshToken, ...changes }));
  };
  const isInStep = (id: string) =>
    eventually(async () => {
      const { status, lastSyncedAt, folders } = await postroom.json('mailbox', 'status', '--mailbox', id);
      expect(status).toBe('active');
      expect(lastSyncedAt).not.toBeNull();
      expect(folders.every((one: Json) => one.isComplete)).toBe(true);
    }, 40_000);
  const send = (mailboxId: string) =>
    workspace.send.post('/drafts/send', { mailboxId, to: [{ email: user }], subject: 'hello', body: { text: 'x' } });

  it.each([
    ['TLS from the first byte', imaps, smtps],
    ['STARTTLS', imap, smtp],
  ])('is connected by %s, synchronized, and sends', async (_how, imapAddress, smtpAddress) => {
    const said = await postroom.json(...connect(...at(imapAddress, smtpAddress), ...password(), ...authority));
    expect(said.imap).toMatchObject({ isEncrypted: true });
    expect(said.imap.capabilities).toEqual(expect.arrayContaining(['IDLE', 'CONDSTORE', 'QRESYNC', 'SPECIAL-USE']));
    expect(said.smtp).toMatchObject({ isEncrypted: true, largestMessage: expect.any(Number) });
    await isInStep(said.id);
    expect((await send(said.id)).status).toBe(200);
  });

  const refusals: [string, () => string[], RegExp][] = [
    [
      'a wrong password',
      () => [...at(imaps, smtps), '--password-file', file('wrong', 'no'), ...authority],
      /IMAP.*password were refused.*SMTP.*password were refused/,
    ],
    [
      'an authority that is not known',
      () => [...at(imaps, smtps), ...password()],
      /IMAP.*authority that is not known.*SMTP.*authority that is not known/,
    ],
    [
      'a port that speaks no TLS at the start',
      () => [...at(`imaps://${imap}`, smtps), ...password(), ...authority],
      /IMAP.*no TLS is spoken/,
    ],
    [
      'a port where nobody is',
      () => [...at('127.0.0.1:9', '127.0.0.1:9'), ...password()],
      /IMAP.*nothing answers there.*SMTP.*nothing answers there/,
    ],
    [
      'a host that is not there',
      () => [...at('mail.invalid:993', smtps), ...password(), ...authority],
      /IMAP.*no host of this name/,
    ],
  ];
  it.each(refusals)('is not connected over %s, and the command line says so', async (_what, args, words) => {
    const { exitCode, stderr } = await postroom(...connect(...args()));
    expect(stderr).toMatch(words);
    expect([exitCode, stderr.split('\n').length]).toEqual([1, 2]);
    expect(await stack.collections.mailboxes.countDocuments({ workspaceId })).toBe(0);
  });

  it('is logged in to by OAuth over IMAP and SMTP, with refresh tokens that are good once', async () => {
    await server.control('token', 'rotate', 'true');
    try {
      const grant = await grantFile();
      const before = readFileSync(grant, 'utf8');
      const { id } = await postroom.json(...connect(...at(imaps, smtps), '--oauth-file', grant, ...authority));
      expect(readFileSync(grant, 'utf8')).not.toBe(before);
      await isInStep(id);
      expect((await send(id)).status).toBe(200);
      // The server refuses an expired access token, and outbound-send gets a new one.
      await server.control('token', 'expire', user);
      expect((await send(id)).status).toBe(200);
    } finally {
      await server.control('token', 'rotate', 'false');
    }
  });

  it('is disconnected at once when its grant was taken back, and comes back with another', async () => {
    const grant = await grantFile();
    const { id } = await postroom.json(...connect(...at(imaps, smtps), '--oauth-file', grant, ...authority));
    await isInStep(id);
    await server.control('token', 'revoke', user);
    expect((await send(id)).status).not.toBe(200);
    await eventually(async () => {
      const { status, lastError } = await postroom.json('mailbox', 'status', '--mailbox', id);
      expect([status, lastError]).toEqual(['disconnected', expect.stringContaining('invalid_grant')]);
    });
    const { refresh_token: refreshToken } = JSON.parse(await server.control('token', 'issue', user)) as Json;
    const next = file('next.json', JSON.stringify({ tokenEndpoint: TOKEN_URL, clientId: 'c', refreshToken }));
    const wrong = await postroom('mailbox', 'reconnect', '--mailbox', id, '--password-file', file('wrong', 'no'));
    expect(wrong.stderr).toMatch(/nothing is connected.*IMAP at .*refused/);
    expect(await postroom.json('mailbox', 'status', '--mailbox', id)).toMatchObject({ status: 'disconnected' });
    await postroom.json('mailbox', 'reconnect', '--mailbox', id, '--oauth-file', next);
    expect((await send(id)).status).toBe(200);
    await postroom.json('mailbox', 'sync', '--now', '--mailbox', id);
  });

  it('is not connected with a grant that is gone', async () => {
    const grant = await grantFile({ refreshToken: 'gone' });
    const { stderr } = await postroom(...connect(...at(imaps, smtps), '--oauth-file', grant, ...authority));
    expect(stderr).toMatch(/grant the token endpoint answered 400: invalid_grant/);
  });
});
