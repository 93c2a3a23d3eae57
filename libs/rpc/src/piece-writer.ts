import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** Less than this is sooner copied than kept apart. */
const LARGE = 4_096;

/**
 * The writer grows by doubling and zeroes all that it takes, which costs more than everything else about a page.
 * So what is large waits beside it and is copied once, at the end.
 */
class PieceWriter extends BinaryWriter {
  private readonly pieces: Uint8Array[] = [];
  private depth = 0;

  // The writer beneath makes text of anything, and "undefined" of what is not there.
  override string(value: string): this {
    if (typeof value !== 'string') throw new TypeError('a message lacks one of its texts');
    return super.string(value);
  }

  // The length of what is nested is only known to the writer if all of it is inside.
  override fork(): this {
    this.depth++;
    return super.fork();
  }

  override join(): this {
    this.depth--;
    return super.join();
  }

  override raw(chunk: Uint8Array): this {
    if (chunk.length < LARGE || this.depth > 0) return super.raw(chunk);
    this.pieces.push(super.finish(), chunk);
    return this;
  }

  override finish(): Uint8Array<ArrayBuffer> {
    const last = super.finish() as Uint8Array<ArrayBuffer>;
    if (this.pieces.length === 0) return last;
    return Buffer.concat([...this.pieces.splice(0), last]);
  }

  /** The written pieces, not joined. */
  takePieces(): Uint8Array[] {
    const last = super.finish();
    return [...this.pieces.splice(0), last];
  }
}

/** The codec of a generated message. */
export interface Codec {
  encode(message: never, writer?: BinaryWriter): { finish(): Uint8Array };
  decode(input: Uint8Array): unknown;
}

export function pieceWriter(): BinaryWriter {
  return new PieceWriter();
}

/** A writer keeps the room it grew to, and more than this is not worth keeping for the next message. */
const ROOMY = 65_536;
let spare: PieceWriter | undefined;

/** The bytes of a message in pieces, for callers that join them with others anyway. */
export function toPieces(codec: Codec, message: unknown): Uint8Array[] {
  const writer = spare ?? new PieceWriter();
  // When a write fails in the middle, its first half must not be part of the next message.
  spare = undefined;
  const written = codec.encode(message as never, writer);
  if (written !== writer) return [written.finish()];
  const pieces = writer.takePieces();
  if ((pieces.at(-1)?.length ?? 0) < ROOMY) spare = writer;
  return pieces;
}

export function toBytes(codec: Codec, message: unknown): Buffer {
  const [first, ...others] = toPieces(codec, message) as [Uint8Array, ...Uint8Array[]];
  if (others.length > 0) return Buffer.concat([first, ...others]);
  // The Buffer is a view of the bytes, not a copy.
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}
