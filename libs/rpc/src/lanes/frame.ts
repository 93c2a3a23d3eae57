/** The path of the stream that a lane is. */
export const LANE_PATH = '/postroom.Lanes/Carry';

/** Said before a request. A head with an id alone takes the request of that id back. */
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

/** Said before an answer. */
export interface ReplyHead {
  /** Of the request; 0 asks for no more of them on this lane. */
  id: number;
  failure?: Failure;
}

/** An ApiError on its way. */
export interface Failure {
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
}

export interface Frame<Head> {
  head: Head;
  /** A message as protobuf has it; empty where the head says all. */
  body: Uint8Array;
}

export const NO_BYTES = Buffer.alloc(0);
/** The lengths of head and body. */
const PREFIX_BYTES = 8;

/** Frames one after the other. A head is JSON, so that a newer peer may say more in it. */
export function toBytes(frames: readonly Frame<unknown>[]): Buffer {
  const heads = frames.map(({ head }) => JSON.stringify(head));
  const lengths = heads.map((head) => Buffer.byteLength(head));
  let total = 0;
  for (const [index, { body }] of frames.entries()) total += PREFIX_BYTES + (lengths[index] as number) + body.length;
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [index, { body }] of frames.entries()) {
    const length = lengths[index] as number;
    bytes.writeUInt32BE(length, at);
    bytes.writeUInt32BE(body.length, at + 4);
    bytes.write(heads[index] as string, at + PREFIX_BYTES);
    bytes.set(body, at + PREFIX_BYTES + length);
    at += PREFIX_BYTES + length + body.length;
  }
  return bytes;
}

/** The bodies are parts of the same bytes, not copies. */
export function fromBytes<Head>(bytes: Buffer): Frame<Head>[] {
  const frames: Frame<Head>[] = [];
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
