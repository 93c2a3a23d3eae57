/** The path of the multiplexed stream. */
export const STREAM_PATH = '/postroom.Lanes/Carry';

/** The head of a request. A head with an id alone cancels the request with that id. */
export interface RequestHead {
  id: number;
  /** The path of the method, as a call of its own would have it. */
  path?: string;
  /** Time and not a date: the two ends need not agree on what o'clock it is. */
  leftMs?: number;
  workspaceId?: string | undefined;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** The head of an answer. */
export interface ReplyHead {
  /** The id of the request; 0 asks the client to send no more on this stream. */
  id: number;
  failure?: FailureFrame;
}

/** An ApiError on its way. */
export interface FailureFrame {
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
}

/** An outgoing frame: the protobuf message in pieces, or none when the head is all. */
export interface OutgoingFrame<Head> {
  head: Head;
  pieces: readonly Uint8Array[];
}

/** An incoming frame. */
export interface IncomingFrame<Head> {
  head: Head;
  body: Buffer;
}

export const NOTHING: readonly Uint8Array[] = [];
/** The lengths of head and body. */
const PREFIX_BYTES = 8;

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** A sequence of frames. A head is JSON, so that a newer peer may add fields. */
export function toBytes(frames: readonly OutgoingFrame<unknown>[]): Buffer {
  const measured = frames.map(({ head, pieces }) => {
    const text = JSON.stringify(head);
    return { text, headLength: Buffer.byteLength(text), pieces, bodyLength: lengthOf(pieces) };
  });
  const total = measured.reduce((sum, { headLength, bodyLength }) => sum + PREFIX_BYTES + headLength + bodyLength, 0);
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const { text, headLength, pieces, bodyLength } of measured) {
    at = bytes.writeUInt32BE(headLength, at);
    at = bytes.writeUInt32BE(bodyLength, at);
    at += bytes.write(text, at);
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
  }
  return bytes;
}

/** The bodies are parts of the same bytes, not copies. */
export function fromBytes<Head>(bytes: Buffer): IncomingFrame<Head>[] {
  const frames: IncomingFrame<Head>[] = [];
  for (let at = 0; at < bytes.length;) {
    const headAt = at + PREFIX_BYTES;
    const bodyAt = headAt + bytes.readUInt32BE(at);
    const end = bodyAt + bytes.readUInt32BE(at + 4);
    const head = JSON.parse(bytes.toString('utf8', headAt, bodyAt)) as Head;
    frames.push({ head, body: bytes.subarray(bodyAt, end) });
    at = end;
  }
  return frames;
}
