import { SCOPES } from '@postroom/contract/lists';
import type { ApiKey } from '@postroom/proto/postroom/v1/workspace';
import { defineCommand, type Command } from '../command/command.ts';
import { flagOption, moment, someOfOption, textOption, UsageError } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');

const create = defineCommand({
  path: ['key', 'create'],
  summary: 'Makes an API key and shows its secret, this once',
  options: {
    workspaceId,
    name: textOption('--name <name>', 'what people call it'),
    scopes: someOfOption('--scopes <scopes>', 'read, write or read,write', SCOPES),
    allowOutboundSend: flagOption('--allow-send', 'lets the key send emails; needs write'),
    expiresAt: moment('--expires <moment>', 'when the key stops working'),
  },
  run: async (values, deps) => {
    if (values.allowOutboundSend && !values.scopes.includes('write')) {
      throw new UsageError('--allow-send needs the write scope; add it to --scopes');
    }
    const { key, secret } = await deps.workspaces().createKey(values, {});
    const id = key?.id ?? '';
    return { json: { id, secret }, lines: [secret, `Key ${id} is there. Its secret is not shown again: keep it now.`] };
  },
});

const list = defineCommand({
  path: ['key', 'list'],
  summary: 'Shows the keys of a workspace, without their secrets',
  options: { workspaceId },
  run: async (values, deps) => {
    const { items } = await deps.workspaces().listKeys(values, {});
    const now = deps.context.clock.now();
    return {
      json: { items: items.map((key) => ({ ...toJson(key), state: stateOf(key, now) })) },
      table: {
        head: ['id', 'name', 'scopes', 'may send', 'state', 'expires', 'created'],
        rows: items.map((key) => [
          key.id,
          key.name,
          key.scopes.join(','),
          key.allowOutboundSend ? 'yes' : 'no',
          stateOf(key, now),
          key.expiresAt ?? '-',
          key.createdAt,
        ]),
      },
    };
  },
});

const revoke = defineCommand({
  path: ['key', 'revoke'],
  summary: 'Ends a key; callers feel it within a minute',
  options: { workspaceId, keyId: textOption('--key <id>', 'the key') },
  run: async (values, deps) => {
    const key = await deps.workspaces().revokeKey(values, {});
    return { json: toJson(key), lines: [`Key ${key.id} is revoked.`] };
  },
});

export const keyCommands: readonly Command[] = [create, list, revoke];

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

function toJson(key: ApiKey) {
  return { ...key, expiresAt: key.expiresAt ?? null, revokedAt: key.revokedAt ?? null };
}
