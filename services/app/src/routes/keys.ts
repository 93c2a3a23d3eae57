import { bounds } from '@postroom/contract/bounds';
import { SCOPES } from '@postroom/contract/lists';
import { planLimits } from '@postroom/contract/plans';
import type { KeyUse } from '@postroom/proto/postroom/v1/activity';
import type { ApiKey } from '@postroom/proto/postroom/v1/workspace';
import { name as nameOf } from '@postroom/resources/text';
import { z } from 'zod';
import type { KeyAnswer, KeyListAnswer } from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';
import { limitsOf } from './usage.ts';

const createKeyRequest = z.strictObject({
  name: nameOf(bounds.apiKeyName),
  scopes: z.array(z.enum(SCOPES)).min(1),
  allowOutboundSend: z.boolean().default(false),
  expiresAt: z.string().optional(),
});

export const keyAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/keys',
    needs: 'admin',
    call: async ({ params }, services, visit): Promise<KeyListAnswer> => {
      const [{ items }, use, { plan }] = await Promise.all([
        services.workspaces.listKeys(params, visit),
        services.activity.listKeyUse({}, visit),
        limitsOf(visit, services),
      ]);
      const useOf = new Map(use.items.map((one) => [one.keyId, one]));
      const keys = items.map((key) => toJsonKey(key, visit.now, useOf.get(key.id)));
      const activeCount = keys.filter(({ status }) => status === 'active').length;
      return { items: keys, activeCount, cap: planLimits[plan].activeKeys };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/keys',
    needs: 'admin',
    body: createKeyRequest,
    status: 201,
    call: async ({ params, body }, { workspaces }, visit) => {
      const { key, secret } = await workspaces.createKey({ ...params, ...body }, visit);
      return { key: toJsonKey(key, visit.now), secret };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/keys/{keyId}/revoke',
    needs: 'admin',
    call: async ({ params }, { workspaces }, visit) => ({
      key: toJsonKey(await workspaces.revokeKey(params, visit), visit.now),
    }),
  }),
];

function toJsonKey(key: ApiKey | undefined, now: number, use?: KeyUse): KeyAnswer {
  if (!key) throw new Error('a key was answered without itself');
  const { id, name, scopes, allowOutboundSend, expiresAt = null, revokedAt = null, createdAt } = key;
  return {
    id,
    name,
    scopes: scopes as KeyAnswer['scopes'],
    allowOutboundSend,
    status: statusOf(key, now),
    expiresAt,
    revokedAt,
    createdAt,
    lastUsedAt: use?.lastUsedAt ?? null,
    lastAddress: use?.lastAddress || null,
    calls24h: use?.callsOfDay ?? 0,
  };
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: number): KeyAnswer['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
