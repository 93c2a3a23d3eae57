import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import type { GenericDefinition } from '@postroom/rpc/definition';
import { expectGolden } from './golden.ts';
import { ROOT } from './sources.ts';

const folder = join(ROOT, 'libs/proto/src/postroom/v1');
const isDefinition = (value: unknown): value is GenericDefinition =>
  typeof value === 'object' && value !== null && 'fullName' in value && 'methods' in value;
const definitions = readdirSync(folder)
  .sort()
  .flatMap((file) => Object.values(require(join(folder, file)) as object).filter(isDefinition));

/**
 * NO_SIDE_EFFECTS alone decides that a call shares a stream with others and is tried again when its connection breaks.
 * On a write it would do things twice; missing on a read it would cost every caller its way.
 */
describe('the rpcs', () => {
  it('are those that were agreed, each with what a repeat of it does', () => {
    const lines = definitions.flatMap(({ name, methods }) =>
      Object.values(methods).map(({ name: method, options }) =>
        `${`${name}/${method}`.padEnd(42)} ${options.idempotencyLevel ?? ''}`.trimEnd(),
      ),
    );
    expectGolden(join(__dirname, 'rpcs.golden.txt'), `${lines.join('\n')}\n`, 'test/guards/rpcs');
  });
});
