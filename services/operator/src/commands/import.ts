import type { FolderType } from '@postroom/contract/lists';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import { defineCommand, type CommandResult } from '../command/command.ts';
import { importMail } from '../import/import-mail.ts';
import { durationText } from '../import/progress.ts';
import { ranked, type Tally } from '../import/tally.ts';
import { maybeOneOf, textOption } from '../command/option.ts';
import { CommandRefusal } from '../command/command-deps.ts';

const FOLDERS = ['inbox', 'sent', 'drafts', 'spam', 'trash'] as const;
const INTERRUPTED = 130;

export const importCommand = defineCommand({
  path: ['mail', 'import'],
  summary: 'Takes mail in from .eml files, mbox files, Maildir folders or standard input ("-")',
  operands: {
    flags: '<path...>',
    description: 'files and folders; "-" reads one message or an mbox from standard input',
  },
  options: {
    mailboxId: textOption('--mailbox <id>', 'the mailbox it goes to'),
    folder: maybeOneOf(
      '--folder <folder>',
      'inbox, sent, drafts, spam or trash (default: as the source says, else inbox)',
      FOLDERS,
    ),
  },
  run: async ({ mailboxId, folder }, deps, operands) => {
    const { clock } = deps.context;
    const started = clock.now();
    const { workspaceId, mailbox } = await deps.workspaces().locateMailbox({ mailboxId }, {});
    const folders = mailbox?.folders.map(({ type }) => type) ?? [];
    const folderType = folder?.toUpperCase() as FolderType | undefined;
    if (folderType && !folders.includes(folderType))
      throw new CommandRefusal(`the mailbox has no ${folder} folder; choose another`);

    const paths = operands.map((path) => (path === '-' ? path : deps.path(path)));
    const tally = await importMail({ workspaceId, mailboxId, paths, folderType, folders }, deps);
    return answer(tally, mailbox, (clock.now() - started) / 1_000, deps.signal.aborted);
  },
});

function answer(tally: Tally, mailbox: Mailbox | undefined, seconds: number, interrupted: boolean): CommandResult {
  const partly = tally.skipped + tally.failed > 0 ? 1 : 0;
  return {
    json: {
      mailboxId: mailbox?.id ?? null,
      read: tally.read,
      new: tally.new,
      known: tally.known,
      quarantined: tally.quarantined,
      causes: ranked(tally.causes).map(([cause, count]) => ({ cause, count })),
      skipped: ranked(tally.skippedIn).map(([source, count]) => ({ source, count, cause: 'larger than 50 MB' })),
      failed: ranked(tally.failedIn).map(([source, count]) => ({ source, count })),
      bytes: tally.bytes,
      seconds,
      interrupted,
    },
    lines: [
      `${tally.read} messages read for ${mailbox?.email ?? 'the mailbox'} in ${durationText(seconds)}.`,
      `  new         ${tally.new}`,
      `  known       ${tally.known}`,
      `  quarantined ${tally.quarantined}`,
      ...ranked(tally.causes).map(([cause, count]) => `    ${count} x ${cause}`),
      ...(tally.quarantined > 0
        ? [`  "postroom mail quarantine list --mailbox ${mailbox?.id ?? 'ID'}" shows them.`]
        : []),
      ...ranked(tally.skippedIn).map(([source, count]) => `  skipped     ${count} larger than 50 MB in ${source}`),
      ...ranked(tally.failedIn).map(
        ([source, count]) =>
          `  failed      ${count} that the mailbox-write service fails over, in ${source}; its log says why`,
      ),
      ...(interrupted ? ['Stopped. Give the same command again to go on: what is in already is recognised.'] : []),
    ],
    exitCode: interrupted ? INTERRUPTED : partly,
  };
}
