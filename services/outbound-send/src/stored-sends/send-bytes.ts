import type { SendDocument } from '@postroom/mail-store/documents/send';
import { bufferOf, type StoredBytes } from '@postroom/mail-store/stored-bytes';

type Bytes = StoredBytes | null;
export type Stored = (Omit<SendDocument, 'wire' | 'kept'> & { wire: Bytes; kept: Bytes }) | null;

export function withBuffers(stored: Stored): SendDocument | null {
  return (
    stored && { ...stored, wire: stored.wire && bufferOf(stored.wire), kept: stored.kept && bufferOf(stored.kept) }
  );
}
