import type { Collection, Model } from 'mongoose';
import type { Actor } from '@postroom/contract/actor';
import type { Clock } from '@postroom/runtime/clock';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { AuditEntryDocument } from './documents/audit.ts';
import { isAnyDuplicate } from './duplicate.ts';
import { USAGE_KEPT_MS } from './kept-for.ts';
import { QUERY_LIMIT } from './time-limit.ts';

interface NewEntry {
  /** The same for every attempt of one operation. */
  id: string;
  workspaceId: string;
  actor: Actor;
  action: string;
  target: { kind: string; id: string; name?: string | undefined };
}

/** Names are for people who read a list: nobody needs more of one. */
const NAME_LENGTH = 200;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The only code that writes audit entries. A service touches no entry but its own. */
export function createAuditStore(
  { auditEntries }: { auditEntries: Pick<Model<AuditEntryDocument>, 'collection'> },
  clock: Pick<Clock, 'date'>,
) {
  const documentOf = ({ id, workspaceId, actor, action, target }: NewEntry, outcome: AuditEntryDocument['outcome']) => {
    const at = clock.date();
    const [area = ''] = action.split('.');
    return {
      _id: deterministicId('aud', id),
      workspaceId,
      at,
      actor: { ...actor, name: actor.name.slice(0, NAME_LENGTH) },
      action,
      actions: [area, action],
      target: {
        kind: target.kind,
        id: target.id.slice(0, NAME_LENGTH),
        name: (target.name ?? '').slice(0, NAME_LENGTH),
      },
      outcome,
      expiresAt: new Date(at.getTime() + USAGE_KEPT_MS),
    } satisfies AuditEntryDocument;
  };
  // Every change pays for its entry, so that it goes past mongoose. It has all fields, and nothing of a caller is a name.
  const entries = () => auditEntries.collection as unknown as Collection<AuditEntryDocument>;
  const insert = async (document: AuditEntryDocument): Promise<boolean> => {
    try {
      await entries().insertOne(document);
      return true;
    } catch (error) {
      if (isAnyDuplicate(error)) return false;
      throw error;
    }
  };

  return {
    begin: (entry: NewEntry): Promise<boolean> => insert(documentOf(entry, 'unknown')),

    /** Safe to repeat. An entry that another attempt has dropped comes back. */
    finish: async (entry: NewEntry): Promise<void> => {
      const { _id, target, outcome, ...once } = documentOf(entry, 'done');
      const update = { $set: { target, outcome }, $setOnInsert: once };
      await entries().updateOne({ _id, workspaceId: entry.workspaceId }, update, { upsert: true, ...QUERY_LIMIT });
    },

    drop: async ({ id, workspaceId }: NewEntry): Promise<void> => {
      await entries().deleteOne({ _id: deterministicId('aud', id), workspaceId, outcome: 'unknown' }, QUERY_LIMIT);
    },

    /** For what is a fact already, and changes nothing that has to wait for its entry. */
    record: (entry: NewEntry, outcome: 'done' | 'failed'): Promise<boolean> => insert(documentOf(entry, outcome)),
  };
}
