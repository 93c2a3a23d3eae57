import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { eventually } from '../engines/eventually.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let postroom: CommandLine;
let workspace: TestWorkspace;
let mailbox: string;
let folder: string;

beforeAll(async () => {
  postroom = commandLine(addressesOf(stack));
  workspace = await stack.workspace();
});
beforeEach(async () => {
  mailbox = (await workspace.connectMailbox()).id;
  folder = mkdtempSync(join(tmpdir(), 'postroom-import-'));
});

const SEPARATOR = 'From ann@example.com Thu Jan  1 00:00:00 2026';
const message = (name: string, ...headers: string[]) =>
  [
    `From: Ann <ann@example.com>`,
    `Subject: ${name}`,
    `Message-ID: <${name}@example.com>`,
    ...headers,
    '',
    `This is ${name}.`,
    '',
  ].join('\n');
const mbox = (...messages: string[]) =>
  messages.map((text) => `${SEPARATOR}\n${text.replaceAll(/^(>*From )/gm, '>$1')}\n`).join('');

function put(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const importMail = (...args: string[]) => postroom.json('mail', 'import', '--mailbox', mailbox, ...args);

async function subjects(folderType: string): Promise<string[]> {
  const { body } = await workspace.read.get(`/emails?mailboxId=${mailbox}&folderType=${folderType}&limit=200`);
  return body.items.map(({ subject }: { subject: string }) => subject).sort();
}

async function flagsOf(): Promise<Record<string, [isRead: boolean, isStarred: boolean]>> {
  const { body } = await workspace.read.get(`/emails?mailboxId=${mailbox}&limit=200`);
  type Item = { subject: string; isRead: boolean; isStarred: boolean };
  return Object.fromEntries(body.items.map(({ subject, isRead, isStarred }: Item) => [subject, [isRead, isStarred]]));
}

describe('mail import', () => {
  it('takes single messages and an mbox, into the folder that is named', async () => {
    const paths = [put('a.eml', message('a')), put('b.mbox', mbox(message('b'), message('c')))];
    expect(await importMail('--folder', 'sent', ...paths)).toMatchObject({
      read: 3,
      new: 3,
      known: 0,
      quarantined: 0,
      skipped: [],
    });
    expect(await subjects('SENT')).toEqual(['a', 'b', 'c']);
  });

  it('takes what the owner wrote as read, and what came in as unread, where nothing is said of it', async () => {
    await importMail('--folder', 'sent', put('sent.eml', message('sent')));
    await importMail(put('came.eml', message('came')));
    expect(await flagsOf()).toEqual({ sent: [true, false], came: [false, false] });
  });

  it('stores each message once, however often it is repeated and in whatever form it comes', async () => {
    const first = put('a.eml', message('a'));
    expect(await importMail(first, first)).toMatchObject({ read: 2, new: 1, known: 1 });
    expect(await importMail(first)).toMatchObject({ new: 0, known: 1 });
    expect(await importMail(put('crlf.eml', message('a').replaceAll('\n', '\r\n')))).toMatchObject({
      new: 0,
      known: 1,
    });
    expect(await subjects('INBOX')).toEqual(['a']);
  });

  it('goes through a Maildir with its folders and flags', async () => {
    put('Maildir/cur/1.x:2,FS', message('read-and-starred'));
    put('Maildir/cur/2.x:2,', message('seen-by-nobody'));
    put('Maildir/new/3.x', message('new'));
    put('Maildir/tmp/4.x', message('half'));
    put('Maildir/.Sent/cur/5.x:2,S', message('sent'));
    put('Maildir/.Junk/cur/6.x:2,S', message('junk'));
    put('Maildir/cur/7.x:2,ST', message('trashed'));
    expect(await importMail(join(folder, 'Maildir'))).toMatchObject({ read: 6, new: 6 });
    expect(await subjects('INBOX')).toEqual(['new', 'read-and-starred', 'seen-by-nobody']);
    expect([await subjects('SENT'), await subjects('SPAM'), await subjects('TRASH')]).toEqual([
      ['sent'],
      ['junk'],
      ['trashed'],
    ]);
    expect(await flagsOf()).toMatchObject({
      'read-and-starred': [true, true],
      'seen-by-nobody': [false, false],
      new: [false, false],
    });
  });

  it('finds the mail in a folder of files', async () => {
    put('mail/2025/a.eml', message('a'));
    put('mail/b.mbox', mbox(message('b')));
    put('mail/notes.txt', 'not mail');
    expect(await importMail(join(folder, 'mail'))).toMatchObject({ read: 2, new: 2 });
  });

  it('reads what other programs say in their headers', async () => {
    const path = put(
      'all.mbox',
      mbox(
        message('a', 'Status: RO'),
        message('b', 'X-Gmail-Labels: Sent,Starred'),
        message('c', 'X-Mozilla-Status: 0000'),
      ),
    );
    await importMail(path);
    expect(await flagsOf()).toEqual({ a: [true, false], b: [true, true], c: [false, false] });
    expect(await subjects('SENT')).toEqual(['b']);
  });

  it('reads one message or an mbox from standard input', async () => {
    const whole = mbox(message('a'), message('b'));
    const pieces = whole.match(/[^]{1,7}/g) ?? [];
    const args = ['mail', 'import', '--mailbox', mailbox];
    expect(await postroom.with({ stdin: pieces }).json(...args, '-')).toMatchObject({ read: 2, new: 2 });
    expect(await postroom.with({ stdin: [message('c')] }).json(...args, '-')).toMatchObject({ read: 1, new: 1 });
    expect(await postroom.with({ stdin: [] }).json(...args, '-')).toMatchObject({ read: 0, new: 0 });
    expect(await subjects('INBOX')).toEqual(['a', 'b', 'c']);
  });

  it('announces its emails as created, and none as received, because it is history', async () => {
    await importMail(put('a.eml', message('a')));
    const { emails, changes } = stack.collections;
    await eventually(async () => {
      expect(await emails.countDocuments({ mailboxId: mailbox, owedSince: { $exists: true } })).toBe(0);
    });
    const announced = await changes.find({ workspaceId: workspace.id }, { event: 1 }).lean<{ event: string }[]>();
    expect(new Set(announced.map(({ event }) => event))).toEqual(new Set(['email.created']));
  });

  it('says for people what was new and known', async () => {
    const path = put('a.mbox', mbox(message('a'), message('b')));
    const { exitCode, stdout } = await postroom('mail', 'import', '--mailbox', mailbox, path);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^2 messages read for .*\n {2}new +2\n {2}known +0\n {2}quarantined +0\n$/);
  });

  it('stops when told to, and goes on where it was when repeated', async () => {
    const count = 450;
    const path = put('many.mbox', mbox(...Array.from({ length: count }, (_, number) => message(`m${number}`))));
    const stopping = new AbortController();
    const stdin = (function* () {
      const whole = mbox(...Array.from({ length: count }, (_, number) => message(`m${number}`)));
      yield whole.slice(0, whole.length / 2);
      stopping.abort();
      yield whole.slice(whole.length / 2);
    })();
    const args = ['mail', 'import', '--mailbox', mailbox];
    const stopped = await postroom.with({ stdin, signal: stopping.signal })(...args, '-', '--json');
    const first = JSON.parse(stopped.stdout);
    expect(stopped.exitCode).toBe(130);
    expect(first).toMatchObject({ interrupted: true, new: first.read });
    expect(first.new).toBeLessThan(count);
    expect(await importMail(path)).toMatchObject({ new: count - first.new, known: first.new, interrupted: false });
  });

  it('exit 1 with one line where there is nothing to read, and for a folder that the mailbox lacks', async () => {
    const nothing = await postroom('mail', 'import', '--mailbox', mailbox, join(folder, 'no.mbox'));
    expect(nothing).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^postroom: .*no such file or folder\n$/),
    });
    const without = await workspace.connectMailbox({ withoutTrash: true });
    const path = put('a.eml', message('a'));
    const refused = await postroom('mail', 'import', '--mailbox', without.id, '--folder', 'trash', path);
    expect(refused).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining('has no trash folder') });
  });
});
