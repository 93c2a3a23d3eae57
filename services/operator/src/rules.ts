import { defineCommand, type Command } from './command.ts';
import { text, wholeNumber } from './option.ts';

const backfillStatus = defineCommand({
  path: ['rules', 'backfill-status'],
  summary: 'Shows how far the backfills of AI labels have come',
  options: {
    workspaceId: text('--workspace <id>', 'the workspace'),
    limit: wholeNumber('--limit <count>', 'how many of the newest', 100),
  },
  run: async ({ workspaceId, limit }, deps) => {
    const { items } = await deps.labelRule().listBackfills({ limit }, { workspaceId });
    return {
      json: { items },
      table: {
        head: ['id', 'mailbox', 'state', 'done', 'of', 'since', 'cause'],
        rows: items.map(({ id, mailboxId, state, done, total, createdAt, cause = '' }) => [
          id,
          mailboxId,
          state,
          String(done),
          String(total),
          createdAt,
          cause,
        ]),
      },
    };
  },
});

export const ruleCommands: readonly Command[] = [backfillStatus];
