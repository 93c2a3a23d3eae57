import { defineCommand, type Command } from '../command/command.ts';
import { optional, textOption, wholeNumber } from '../command/option.ts';

const backfillStatus = defineCommand({
  path: ['rules', 'backfill-status'],
  summary: 'Shows how far the backfills of AI labels have come',
  options: {
    workspaceId: textOption('--workspace <id>', 'the workspace'),
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

const listQuarantined = defineCommand({
  path: ['rules', 'quarantine', 'list'],
  summary: 'Shows the emails whose classification was given up, and why',
  options: {
    workspaceId: textOption('--workspace <id>', 'the workspace'),
    mailboxId: optional('--mailbox <id>', 'those of one mailbox'),
    limit: wholeNumber('--limit <count>', 'how many of the newest', 100),
  },
  run: async ({ workspaceId, mailboxId, limit }, deps) => {
    const { items } = await deps.mailboxWriteOperators().listQuarantined({ mailboxId, limit }, { workspaceId });
    return {
      json: { items },
      table: {
        head: ['email', 'mailbox', 'attempts', 'since', 'cause'],
        rows: items.map(({ emailId, mailboxId: of, attempts, quarantinedAt, cause }) => [
          emailId,
          of,
          String(attempts),
          quarantinedAt,
          cause,
        ]),
      },
    };
  },
});

const retryQuarantined = defineCommand({
  path: ['rules', 'quarantine', 'retry'],
  summary: 'Has quarantined emails classified once more: those named, or all of the workspace',
  operands: { flags: '[id...]', description: 'the emails' },
  options: { workspaceId: textOption('--workspace <id>', 'the workspace') },
  run: async ({ workspaceId }, deps, ids) => {
    const { retried } = await deps.mailboxWriteOperators().retryQuarantined({ emailIds: [...ids] }, { workspaceId });
    return { json: { retried }, lines: [`${retried} are tried again within seconds.`] };
  },
});

export const ruleCommands: readonly Command[] = [backfillStatus, listQuarantined, retryQuarantined];
