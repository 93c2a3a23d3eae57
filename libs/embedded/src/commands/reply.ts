import { Double, Long } from 'bson';
import { appendElement, buildArray, whole } from '../bson/build.ts';
import { Type } from '../bson/raw.ts';
import { encodeDocument } from '../bson/value.ts';
import type { Reply } from './request.ts';

export function replyOf(reply: Reply): Buffer {
  if (Buffer.isBuffer(reply)) return reply;
  return encodeDocument({ ...reply, ok: new Double('ok' in reply ? Number(reply['ok']) : 1) });
}

/** A page of documents as an answer, the documents untouched. */
export function cursorReply(
  name: 'firstBatch' | 'nextBatch',
  id: bigint,
  namespace: string,
  documents: Buffer[],
): Buffer {
  const cursor = appendElement(
    { id: Long.fromBigInt(id), ns: namespace },
    name,
    whole(Type.array, buildArray(documents)),
  );
  return appendElement({ ok: new Double(1) }, 'cursor', whole(Type.object, cursor));
}
