import type { CountSecretsResponse } from '@postroom/proto/postroom/v1/workspace';
import { defineCommand, type CommandResult, type Command } from '../command/command.ts';
import type { CommandDeps } from '../command/command-deps.ts';

/** Each password takes a write, and an installation may have very many. */
const ROTATION_MS = 600_000;

const status = defineCommand({
  path: ['secrets', 'status'],
  summary: 'Shows how many passwords of mailboxes are sealed under which key',
  options: {},
  run: async (_values, deps) => answer(await deps.workspaces().countSecrets({}, {})),
});

const rotate = defineCommand({
  path: ['secrets', 'rotate'],
  summary: 'Puts every sealed password under the newest key; safe to repeat',
  options: {},
  run: async (_values, deps: CommandDeps) => {
    const deadline = deps.context.clock.now() + ROTATION_MS;
    return answer(await deps.workspaces().rotateSecrets({}, { deadline, signal: deps.signal }));
  },
});

export const secretsCommands: readonly Command[] = [status, rotate];

function answer({ newestKeyId, sealed, plainCount, unreadableKeyIds }: CountSecretsResponse): CommandResult {
  const onOldKeys = sealed.filter(({ keyId }) => keyId !== newestKeyId).reduce((sum, { count }) => sum + count, 0);
  const rows = sealed.map(({ keyId, count, isKnown }) => {
    const state = keyId === newestKeyId ? 'newest' : isKnown ? 'old' : 'not in the folder';
    return [keyId, String(count), state] as const;
  });
  const plain = plainCount > 0 ? [['-', String(plainCount), 'in the clear'] as const] : [];
  const unreadable = unreadableKeyIds.map(
    (keyId) => [keyId, '-', 'holds no key of 32 bytes, or cannot be read'] as const,
  );
  return {
    json: { newestKeyId, onOldKeys, inTheClear: plainCount, keys: sealed, unreadableKeys: unreadableKeyIds },
    table: {
      head: ['key', 'passwords', 'state'],
      rows: [...rows, ...plain, ...unreadable],
    },
  };
}
