import { describe, expect, it } from '@jest/globals';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { pieceWriter, toBytes } from './piece-writer.ts';

const LARGE = Buffer.alloc(50_000, 'x');

/** A small field, a large one, a message inside with a large one of its own, another large one, a small one. */
const write = (writer: BinaryWriter): Uint8Array => {
  writer.uint32(8).int32(7).uint32(18).bytes(LARGE);
  writer.uint32(26).fork().uint32(10).bytes(LARGE).uint32(18).string('größer').join();
  return writer.uint32(34).bytes(LARGE).uint32(42).string('end').finish();
};

describe('the writer of messages', () => {
  it('writes the very bytes that the plain one writes', () => {
    expect(Buffer.compare(write(pieceWriter()), write(new BinaryWriter()))).toBe(0);
  });

  it('can be used again', () => {
    const writer = pieceWriter();
    write(writer);
    expect(Buffer.compare(write(writer), write(new BinaryWriter()))).toBe(0);
  });

  it('is free of a message that could not be written to its end', () => {
    const fail = {
      encode: (_message: never, writer = new BinaryWriter()) => writer.uint32(8).uint32(-1),
      decode: () => ({}),
    };
    const whole = { encode: (_message: never, writer = new BinaryWriter()) => writer.uint32(8), decode: () => ({}) };
    expect(toBytes(whole, {})).toEqual(Buffer.from([8]));
    expect(() => toBytes(fail, {})).toThrow();
    expect(toBytes(whole, {})).toEqual(Buffer.from([8]));
  });
});
