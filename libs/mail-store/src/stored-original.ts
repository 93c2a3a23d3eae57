import type { Reads } from './access.ts';
import type { OriginalPieceDocument } from './documents/email.ts';
import { bufferOf, type StoredBytes } from './stored-bytes.ts';
import type { QUERY_LIMIT } from './time-limit.ts';

type Piece = Pick<OriginalPieceDocument, 'pieces'> & { bytes: StoredBytes };

/** The raw message that mailbox-write stored of an email without a provider; null where it is not kept, or not any more. */
export async function storedOriginal(
  { originalPieces }: Reads<'originalPieces'>,
  workspaceId: string,
  emailId: string,
  limit: typeof QUERY_LIMIT,
): Promise<Buffer | null> {
  const pieces = await originalPieces
    .find({ workspaceId, emailId }, { pieces: 1, bytes: 1 }, limit)
    .sort({ position: 1 })
    .lean<Piece[]>();
  const [first] = pieces;
  return first?.pieces === pieces.length ? Buffer.concat(pieces.map(({ bytes }) => bufferOf(bytes))) : null;
}
