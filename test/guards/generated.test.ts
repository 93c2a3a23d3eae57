import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRepositoryFile, repositoryFiles, ROOT } from './sources.ts';

interface Codec {
  encode(message: object): { finish(): Uint8Array };
  decode(wire: Uint8Array): Record<string, Buffer>;
  create(parts: object): object;
}

const folder = join(ROOT, 'libs/proto/src/postroom/v1');
const generated = Object.assign(
  {},
  ...readdirSync(folder).map((file) => require(join(folder, file)) as object),
) as Record<string, Codec>;

/** Every field of bytes, by the protos. */
const fields = repositoryFiles('proto/postroom')
  .flatMap((path) => readRepositoryFile(path).split(/^(?=message )/m))
  .flatMap((block) =>
    [...block.matchAll(/^ {2}(?:optional )?bytes (\w+) =/gm)].map(
      ([, field = '']) => [/^message (\w+)/.exec(block)?.[1] ?? '', field] as const,
    ),
  );

// The generated code is rewritten as text, which finds nothing to rewrite the day its generator writes otherwise.
describe('bytes of a message are a part of what was received, not a copy of it', () => {
  it.each(fields)('%s.%s', (message, field) => {
    const codec = generated[message] as Codec;
    const bytes = Buffer.from('{"items":[]}');
    const wire = codec.encode(codec.create({ [field]: bytes })).finish();
    const found = codec.decode(wire)[field] as Buffer;
    expect([Buffer.isBuffer(found), found.equals(bytes)]).toEqual([true, true]);
    expect(found.buffer).toBe(wire.buffer);
  });

  it('and there are such fields', () => {
    expect(fields).toContainEqual(['Page', 'json']);
  });
});
