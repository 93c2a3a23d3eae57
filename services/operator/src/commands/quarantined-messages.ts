import { defineCommand, type Command } from '../command/command.ts';
import { optional, UsageError, wholeNumber } from '../command/option.ts';
import type { CommandDeps } from '../command/command-deps.ts';

const whose = {
  workspaceId: optional('--workspace <id>', 'those of a workspace'),
  mailboxId: optional('--mailbox <id>', 'those of one mailbox'),
};

const list = defineCommand({
  path: ['mail', 'quarantine', 'list'],
  summary: 'Shows the messages that could not be taken in, and why',
  options: { ...whose, limit: wholeNumber('--limit <count>', 'how many of the newest', 100) },
  run: async ({ limit, ...named }, deps) => {
    const workspaceId = await workspaceOf(named, deps);
    const { items } = await deps
      .mailboxWriteOperators()
      .listQuarantinedMessages({ mailboxId: named.mailboxId, limit }, { workspaceId });
    return {
      json: { items },
      table: {
        head: ['id', 'mailbox', 'bytes', 'attempts', 'since', 'cause'],
        rows: items.map(({ id, mailboxId, size, attempts, createdAt, cause }) => [
          id,
          mailboxId,
          String(size),
          String(attempts),
          createdAt,
          cause,
        ]),
      },
    };
  },
});

// Nothing retries by itself: an operator looks at the causes, mends what can be mended, and asks once more.
const retry = defineCommand({
  path: ['mail', 'quarantine', 'retry'],
  summary: 'Tries to take messages in once more: those named, or all of the workspace',
  operands: { flags: '[id...]', description: 'the messages' },
  options: whose,
  run: async (named, deps, ids) => {
    const workspaceId = await workspaceOf(named, deps);
    const { stored, stillQuarantined } = await deps
      .mailboxWriteOperators()
      .retryQuarantinedMessages({ ids: [...ids] }, { workspaceId });
    return {
      json: { stored, stillQuarantined },
      lines: [`${stored} taken in, ${stillQuarantined} still quarantined.`],
    };
  },
});

export const quarantinedMessageCommands: readonly Command[] = [list, retry];

async function workspaceOf(
  { workspaceId, mailboxId }: { workspaceId: string | undefined; mailboxId: string | undefined },
  deps: CommandDeps,
): Promise<string> {
  if (workspaceId) return workspaceId;
  if (!mailboxId) throw new UsageError('say whose: add --workspace ID or --mailbox ID');
  return (await deps.workspaces().locateMailbox({ mailboxId }, {})).workspaceId;
}
