import { createHash } from 'node:crypto';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js';
import { type OAuthGrantDeps, livingGrant } from '../grants/grants.ts';
import type { RecordStore } from './record-store.ts';

export interface AdapterDeps extends Pick<OAuthGrantDeps, 'finder' | 'members'> {
  context: Pick<ServiceContext, 'clock'>;
  records: RecordStore;
}

/** A client that no person has let in is forgotten. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;

/** Tokens are long and random, so that a plain hash is enough. */
export const recordIdOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Stores the records of the authorization server by the hashes of their secrets. A grant that was ended is not found, and
 * without it no token is issued or accepted: whatever order the calls have, one write ends them all.
 */
export function createAdapter(kind: string, { records, context: { clock }, ...grants }: AdapterDeps): Adapter {
  const endGrant = async (grantId: string): Promise<void> => {
    await grants.finder.end(grantId, QUERY_BUDGET);
    await records.removeOfGrant(grantId);
  };

  return {
    upsert: async (id, payload, expiresIn) => {
      const { jti: _jti, ...stored } = payload;
      const lifeMs = kind === 'Client' ? UNUSED_CLIENT_MS : (expiresIn ?? 0) * 1_000;
      const grantId = payload.grantId ?? null;
      const expiresAt = new Date(clock.now() + lifeMs);
      await records.save({ _id: recordIdOf(id), kind, payload: JSON.stringify(stored), grantId, expiresAt });
    },

    find: async (id) => {
      const record = await records.find(recordIdOf(id), kind);
      if (!record || (record.expiresAt && record.expiresAt <= clock.date())) return undefined;
      if (kind === 'Grant' && !(await livingGrant(id, { ...grants, context: { clock } }, QUERY_BUDGET)))
        return undefined;
      const payload = JSON.parse(record.payload) as AdapterPayload;
      const named = kind === 'Client' ? {} : { jti: id };
      return { ...payload, ...named, ...(record.consumedAt && { consumed: secondsOf(record.consumedAt) }) };
    },

    // Of two calls that use one code or token at once the second is a reuse, as if it came later.
    consume: async (id) => {
      const record = await records.find(recordIdOf(id), kind);
      if (await records.consume(recordIdOf(id), kind, clock.date())) return;
      if (record?.grantId) await endGrant(record.grantId);
      throw new InvalidGrant('it was used already');
    },

    destroy: async (id) => {
      if (kind === 'Grant') await endGrant(id);
      await records.remove(recordIdOf(id), kind);
    },

    revokeByGrantId: endGrant,
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
  };
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1_000);
