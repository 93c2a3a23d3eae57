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
}

export function pieceWriter(): BinaryWriter {
  return new PieceWriter();
}
