import { readLength } from '../bson/raw.ts';

/**
 * Documents outside the JavaScript heap, in chunks that are only ever appended to. A record number stands for a
 * document; replacing one appends its new bytes. Bytes are never overwritten, so a slice handed out stays what it
 * was, whatever happens later, and a snapshot needs only the list of places.
 */
const CHUNK = 4 * 1024 * 1024;
const HEADER = 4;

interface Chunk {
  bytes: Buffer;
  used: number;
  live: number;
}

export interface Arena {
  chunks: (Chunk | undefined)[];
  /** Of each record: its chunk + 1 (0 = no such record) and its offset there. */
  chunkOf: Uint32Array;
  offsetOf: Uint32Array;
  /** One past the highest record number ever used. */
  end: number;
  free: number[];
  count: number;
  liveBytes: number;
  deadBytes: number;
}

export function createArena(): Arena {
  return {
    chunks: [],
    chunkOf: new Uint32Array(64),
    offsetOf: new Uint32Array(64),
    end: 0,
    free: [],
    count: 0,
    liveBytes: 0,
    deadBytes: 0,
  };
}

/** Small collections must not cost a chunk of 4 MB: chunks grow with what is stored. */
function chunkFor(arena: Arena, size: number): number {
  const last = arena.chunks.length - 1;
  const chunk = arena.chunks[last];
  if (chunk && chunk.used + size <= chunk.bytes.length) return last;
  const capacity = Math.max(size, Math.min(CHUNK, Math.max(16 * 1024, arena.liveBytes)));
  arena.chunks.push({ bytes: Buffer.allocUnsafeSlow(capacity), used: 0, live: 0 });
  return last + 1;
}

function put(arena: Arena, record: number, document: Buffer): void {
  const size = document.length + HEADER;
  const index = chunkFor(arena, size);
  const chunk = arena.chunks[index] as Chunk;
  chunk.bytes.writeUInt32LE(record, chunk.used);
  document.copy(chunk.bytes, chunk.used + HEADER);
  arena.chunkOf[record] = index + 1;
  arena.offsetOf[record] = chunk.used + HEADER;
  chunk.used += size;
  chunk.live += size;
  arena.liveBytes += size;
}

function release(arena: Arena, record: number): void {
  const index = (arena.chunkOf[record] as number) - 1;
  const chunk = arena.chunks[index] as Chunk;
  const size = readLength(chunk.bytes, arena.offsetOf[record] as number) + HEADER;
  chunk.live -= size;
  arena.liveBytes -= size;
  arena.deadBytes += size;
  if (chunk.live > 0 || index === arena.chunks.length - 1) return;
  arena.deadBytes -= chunk.used;
  arena.chunks[index] = undefined;
}

function growTo(arena: Arena, records: number): void {
  if (records <= arena.chunkOf.length) return;
  const size = Math.max(records, arena.chunkOf.length * 2);
  const grow = (old: Uint32Array): Uint32Array => {
    const next = new Uint32Array(size);
    next.set(old);
    return next;
  };
  arena.chunkOf = grow(arena.chunkOf);
  arena.offsetOf = grow(arena.offsetOf);
}

export function addRecord(arena: Arena, document: Buffer): number {
  const record = arena.free.pop() ?? arena.end;
  putRecord(arena, record, document);
  return record;
}

/** Puts a document under a given number, as a snapshot does that is read back. */
export function putRecord(arena: Arena, record: number, document: Buffer): void {
  growTo(arena, record + 1);
  arena.end = Math.max(arena.end, record + 1);
  put(arena, record, document);
  arena.count += 1;
}

export function replaceRecord(arena: Arena, record: number, document: Buffer): void {
  release(arena, record);
  put(arena, record, document);
}

export function removeRecord(arena: Arena, record: number): void {
  release(arena, record);
  arena.chunkOf[record] = 0;
  arena.free.push(record);
  arena.count -= 1;
}

export function hasRecord(arena: Arena, record: number): boolean {
  return record < arena.end && arena.chunkOf[record] !== 0;
}

export function readRecord(arena: Arena, record: number): Buffer {
  const { bytes } = arena.chunks[(arena.chunkOf[record] as number) - 1] as Chunk;
  const start = arena.offsetOf[record] as number;
  return bytes.subarray(start, start + readLength(bytes, start));
}

/** The chunk a record lies in, for code that reads a few bytes of very many records. */
export function chunkOfRecord(arena: Arena, record: number): Buffer {
  return (arena.chunks[(arena.chunkOf[record] as number) - 1] as Chunk).bytes;
}

/**
 * Moves what is left of the emptiest chunk to the end and lets the chunk go. True when there is more to do; a caller
 * does one chunk at a time, since moving one takes about a millisecond.
 */
export function compactOnce(arena: Arena): boolean {
  if (arena.deadBytes < 2 * CHUNK || arena.deadBytes < arena.liveBytes / 4) return false;
  let worst = -1;
  let share = 1;
  for (let i = 0; i < arena.chunks.length - 1; i += 1) {
    const chunk = arena.chunks[i];
    if (chunk && chunk.live / chunk.used < share) {
      worst = i;
      share = chunk.live / chunk.used;
    }
  }
  const chunk = arena.chunks[worst];
  if (!chunk) return false;
  for (let at = 0; at < chunk.used;) {
    const record = chunk.bytes.readUInt32LE(at);
    const start = at + HEADER;
    const size = readLength(chunk.bytes, start);
    if (arena.chunkOf[record] === worst + 1 && arena.offsetOf[record] === start) {
      replaceRecord(arena, record, chunk.bytes.subarray(start, start + size));
    }
    at = start + size;
  }
  return true;
}
