import { readLength, skipName } from '../bson/raw.ts';
import type { ParsedCommand } from '../commands/request.ts';

/** The two message kinds a driver of today sends: OP_MSG, and OP_QUERY for its very first hello. */
export const Opcode = { reply: 1, query: 2004, compressed: 2012, message: 2013 } as const;

const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS = 0xffff;

export interface Message extends ParsedCommand {
  requestId: number;
  opcode: number;
  expectsReply: boolean;
}

const MAX_MESSAGE = 48_000_000;

/** The length of the message that begins the buffer, or undefined when not even that has arrived. */
export function messageLength(buf: Buffer): number | undefined {
  if (buf.length < 4) return undefined;
  const length = readLength(buf, 0);
  if (length < HEADER || length > MAX_MESSAGE + 16_384) throw new RangeError(`a message of ${length} bytes`);
  return length;
}

function readSequence(buf: Buffer, start: number, end: number, into: Map<string, Buffer[]>): void {
  const first = skipName(buf, start);
  const documents: Buffer[] = [];
  for (let at = first; at < end;) {
    const size = readLength(buf, at);
    if (size < 5 || at + size > end) throw new RangeError('a document sequence has a wrong length');
    documents.push(buf.subarray(at, at + size));
    at += size;
  }
  into.set(buf.toString('utf8', start, first - 1), documents);
}

function parseSections(buf: Buffer, requestId: number): Message {
  const flags = buf.readUInt32LE(HEADER);
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) throw new RangeError('unknown OP_MSG flags');
  const end = buf.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  for (let at = HEADER + 4; at < end;) {
    const kind = buf[at];
    const size = readLength(buf, at + 1);
    if (size < 4 || at + 1 + size > end) throw new RangeError('an OP_MSG section has a wrong length');
    if (kind === 0) body = buf.subarray(at + 1, at + 1 + size);
    else if (kind === 1) readSequence(buf, at + 5, at + 1 + size, sequences);
    else throw new RangeError(`OP_MSG has no section of kind ${kind}`);
    at += 1 + size;
  }
  if (!body) throw new RangeError('an OP_MSG without a body');
  return { requestId, opcode: Opcode.message, body, sequences, expectsReply: (flags & MORE_TO_COME) === 0 };
}

export function parseWireMessage(buf: Buffer): Message {
  const requestId = buf.readInt32LE(4);
  const opcode = buf.readInt32LE(12);
  if (opcode === Opcode.message) return parseSections(buf, requestId);
  if (opcode !== Opcode.query) throw new RangeError(`the opcode ${opcode} is not supported`);
  // OP_QUERY: flags (4), collection name, skip (4), limit (4), document.
  const at = skipName(buf, HEADER + 4) + 8;
  const body = buf.subarray(at, at + readLength(buf, at));
  return { requestId, opcode, body, sequences: new Map(), expectsReply: true };
}

let lastId = 0;

export function encodeReply(to: Message, document: Buffer): Buffer {
  const between = to.opcode === Opcode.message ? 5 : 20;
  const out = Buffer.allocUnsafe(HEADER + between + document.length);
  lastId = (lastId + 1) & 0x7fffffff;
  out.writeInt32LE(out.length, 0);
  out.writeInt32LE(lastId, 4);
  out.writeInt32LE(to.requestId, 8);
  out.writeInt32LE(to.opcode === Opcode.message ? Opcode.message : Opcode.reply, 12);
  out.fill(0, HEADER, HEADER + between);
  // OP_REPLY: flags (8 = await capable), cursor id (8), starting from (4), number of documents (4).
  if (to.opcode !== Opcode.message) {
    out.writeInt32LE(8, HEADER);
    out.writeInt32LE(1, HEADER + 16);
  }
  document.copy(out, HEADER + between);
  return out;
}
