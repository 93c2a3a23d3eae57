import type { GetSyncStateResponse } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import { defineCommand } from '../command/command.ts';
import { flagOption, textOption, UsageError } from '../command/option.ts';

const mailboxId = textOption('--mailbox <id>', 'the mailbox');

export const status = defineCommand({
  path: ['mailbox', 'status'],
  summary: 'Shows how far a mailbox is synchronized with its provider',
  options: { mailboxId },
  run: async (request, deps) => {
    const { workspaceId, mailbox } = await deps.workspaces().locateMailbox(request, {});
    const state = await deps.mailboxSync().getSyncState(request, { workspaceId });
    const json = toJson(request.mailboxId, mailbox, state, deps.context.clock.now());
    return {
      json,
      lines: linesOf(json),
      table: {
        head: ['folder', 'type', 'done', 'of', 'complete'],
        rows: json.folders.map(({ name, type, done, total, isComplete }) => [
          name,
          type ?? '-',
          String(done),
          String(total),
          isComplete ? 'yes' : 'no',
        ]),
      },
    };
  },
});

export const syncNow = defineCommand({
  path: ['mailbox', 'sync'],
  summary: 'Has a mailbox looked at, without waiting for the next time',
  options: { mailboxId, now: flagOption('--now', 'at once') },
  run: async ({ mailboxId: id, now }, deps) => {
    if (!now)
      throw new UsageError(
        '--now is missing: without it there is nothing to do, since mailboxes are synchronized all the time',
      );
    const { workspaceId } = await deps.workspaces().locateMailbox({ mailboxId: id }, {});
    await deps.mailboxSync().syncNow({ mailboxId: id }, { workspaceId });
    return {
      json: { id },
      lines: [`A sync pass of mailbox ${id} is requested; "postroom mailbox status" shows its result.`],
    };
  },
});

type Json = ReturnType<typeof toJson>;

function toJson(id: string, mailbox: Mailbox | undefined, state: GetSyncStateResponse, now: number) {
  const { lastSyncedAt, failCount, lastError, isHeld, folders } = state;
  return {
    id,
    status: mailbox?.status ?? 'unknown',
    isConnected: isHeld,
    lastSyncedAt: lastSyncedAt ?? null,
    lagSeconds: lastSyncedAt === undefined ? null : Math.max(0, Math.round((now - Date.parse(lastSyncedAt)) / 1_000)),
    failCount,
    lastError: lastError ?? null,
    folders: folders.map(({ type, ...folder }) => ({ ...folder, type: type === 'OTHER' ? null : type })),
  };
}

function linesOf({ id, status: state, isConnected, lastSyncedAt, lagSeconds, failCount, lastError }: Json): string[] {
  return [
    `Mailbox ${id} is ${state}${isConnected ? ', and connected to its provider' : ''}.`,
    lastSyncedAt === null
      ? 'It was never synchronized yet.'
      : `It was synchronized ${lagSeconds} s ago, at ${lastSyncedAt}.`,
    ...(lastError === null ? [] : [`Failed ${failCount} times since: ${lastError}`]),
  ];
}
