import type { CountSecretsResponse } from '@postroom/proto/postroom/v1/workspace';
import { defineCommand, type CommandResult, type Command } from '../command/command.ts';
import type { CommandDeps } from '../command/command-deps.ts';

/** Each password takes a write, and an installation may have very many. */
const ROTATION_MS = 600_000;

const status = defineCommand({
  path: ['secrets', 'status'],
  summary: 'Shows how many passwords of mailboxes and signing secrets of webhooks are sealed under which key',
  options: {},
  run: async (_values, deps) => answer(await ofAll(deps, (secrets) => secrets.countSecrets({}, {}))),
});

const rotate = defineCommand({
  path: ['secrets', 'rotate'],
  summary: 'Puts every sealed password and signing secret under the newest key; safe to repeat',
  options: {},
  run: async (_values, deps: CommandDeps) => {
    const deadline = deps.context.clock.now() + ROTATION_MS;
    return answer(await ofAll(deps, (secrets) => secrets.rotateSecrets({}, { deadline, signal: deps.signal })));
  },
});

type SealedSecrets = Pick<ReturnType<CommandDeps['workspaces']>, 'countSecrets' | 'rotateSecrets'>;

/** Of mailboxes and of webhooks, which are sealed under the keys of one folder. */
async function ofAll(
  deps: CommandDeps,
  ask: (secrets: SealedSecrets) => Promise<CountSecretsResponse>,
): Promise<CountSecretsResponse> {
  const ofMailboxes = await ask(deps.workspaces());
  const webhooks = deps.webhookOperators();
  const ofWebhooks = webhooks ? (await ask(webhooks)).sealed : [];
  const keyIds = [...new Set([...ofMailboxes.sealed, ...ofWebhooks].map(({ keyId }) => keyId))].sort().reverse();
  const sealed = keyIds.map((keyId) => {
    const under = [...ofMailboxes.sealed, ...ofWebhooks].filter((one) => one.keyId === keyId);
    const count = under.reduce((sum, one) => sum + one.count, 0);
    return { keyId, count, isKnown: under.every(({ isKnown }) => isKnown) };
  });
  return { ...ofMailboxes, sealed };
}

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
      head: ['key', 'secrets', 'state'],
      rows: [...rows, ...plain, ...unreadable],
    },
  };
}
