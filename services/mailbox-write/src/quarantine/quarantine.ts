import type { QuarantinedMessageDocument, QuarantinedPieceDocument } from '@postroom/mail-store/documents/email';
import { QUARANTINED_KEPT_MS, quarantinedPieceExpiry } from '@postroom/mail-store/kept-for';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Incoming } from '../incoming/incoming.ts';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { QuarantineStore } from './quarantine-store.ts';

/** Well below what a database takes in one document. */
const PIECE_BYTES = 4 * 1024 * 1024;

export interface Quarantine {
  keep(workspaceId: string, mailboxId: string, incoming: Incoming, cause: string): Promise<void>;
  findBySource(
    workspaceId: string,
    mailboxId: string,
    sourceKeys: readonly string[],
  ): Promise<QuarantinedMessageDocument[]>;
}

/** Keeps whole what could not be taken in, for half a year. Nothing tries it again by itself. */
export function createQuarantine(
  store: QuarantineStore,
  { clock, log, metrics }: Pick<ServiceContext, 'clock' | 'log' | 'metrics'>,
): Quarantine {
  metrics.gauge('quarantined_messages', 'Messages that could not be ingested.', () => store.countAll());
  metrics.gauge('set_aside_messages', 'The former name of quarantined_messages.', () => store.countAll());

  return {
    findBySource: (workspaceId, mailboxId, sourceKeys) => store.findBySource(workspaceId, mailboxId, sourceKeys),
    keep: async (workspaceId, mailboxId, incoming, cause) => {
      const { raw, outgoing: _, described: _described, ...told } = incoming;
      const id = deterministicId('asd', workspaceId, mailboxId, told.sourceKey);
      const about = { _id: id, workspaceId, mailboxId, cause, size: raw.length, attempts: 1 };
      const createdAt = clock.date();
      const expiresAt = new Date(createdAt.getTime() + QUARANTINED_KEPT_MS);
      const document = { ...about, ...told, createdAt, expiresAt };
      await store.insert(workspaceId, document, piecesOf(workspaceId, id, raw, quarantinedPieceExpiry(expiresAt)));
      log.warn(
        { setAsideId: id, mailboxId, bytes: raw.length, cause },
        'a message could not be ingested; it is quarantined until an operator retries it',
      );
    },
  };
}

function piecesOf(workspaceId: string, setAsideId: string, raw: Buffer, expiresAt: Date): QuarantinedPieceDocument[] {
  const count = Math.ceil(raw.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, position) => ({
    _id: `${setAsideId}:${position}`,
    workspaceId,
    setAsideId,
    position,
    bytes: raw.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES),
    expiresAt,
  }));
}
