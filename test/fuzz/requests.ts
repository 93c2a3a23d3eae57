import fc, { type Arbitrary } from 'fast-check';
import { describeApi } from '../../services/gateway/src/openapi/describe-api.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { valid, type SchemaContext, type Schema } from './from-schema.ts';
import { hostile, hostileText, kindOf, reference } from './values.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** A request as it was thought of, before it is known what it refers to. */
export interface Request {
  operationId: string;
  method: string;
  path: string;
  parameters: Record<string, unknown>;
  query: [name: string, value: unknown][];
  body: unknown;
  /** Sent instead of a body that is JSON. */
  raw?: string | undefined;
  idempotencyKey?: string | undefined;
  key: 'send' | 'read' | 'none';
}

/** A call that waits for changes, and a stream of them, would stop a sequence of requests for as long as they last. */
const prompt = routes.filter(({ feature }) => feature !== 'changes');
// As JSON, which is what clients read.
const document = JSON.parse(JSON.stringify(describeApi(prompt, undefined))) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const resolve = (pointer: string) => document.components.schemas[pointer.split('/').at(-1) ?? ''] as Schema;

const operations = Object.entries(document.paths)
  .filter(([path]) => path !== '/openapi.json')
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );

function requestOf({ path, method, operationId, parameters = [], requestBody }: (typeof operations)[number]) {
  const context: SchemaContext = { path, name: '', resolve, depth: 8 };
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return fc.record({
    operationId: fc.constant(operationId),
    method: fc.constant(method),
    path: fc.constant(path),
    parameters: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, idOf(name, path)]))),
    query: queryOf(inQuery, context),
    body: requestBody ? bodyOf(requestBody.content['application/json'].schema, context) : fc.constant(undefined),
    raw: sometimes(requestBody ? 40 : 100, fc.constantFrom('', '{', '{"a":}', '[', '\ufeff{}', 'null')),
    idempotencyKey: sometimes(4, fc.oneof(fc.constantFrom('one', 'two', ''), anyKey)),
    key: fc.oneof(
      { arbitrary: fc.constant('send' as const), weight: 30 },
      fc.constantFrom('read' as const, 'none' as const),
    ),
  });
}

/** Of what fetch sends as it is. */
const anyKey = fc
  .string({ minLength: 1, maxLength: 300, size: 'max', unit: 'grapheme-ascii' })
  .filter((key) => key.trim() === key);

/** Once for so many times that it is not there. */
const sometimes = <T>(weight: number, arbitrary: Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight }, { arbitrary, weight: 1 });

const idOf = (name: string, path: string): Arbitrary<unknown> =>
  fc.oneof({ arbitrary: reference(kindOf(name, path) ?? 'email'), weight: 9 }, hostileText);

/** Any call of the description: mostly as it is described, sometimes with one thing wrong, sometimes with all. */
export const anyRequest: Arbitrary<Request> = fc.oneof(...operations.map(requestOf));

function queryOf(parameters: Parameter[], context: SchemaContext): Arbitrary<[string, unknown][]> {
  const pairs = parameters.map(({ name, required, schema }) => {
    const good = valid(schema, { ...context, name });
    const value = fc.oneof({ arbitrary: good, weight: 9 }, hostileText);
    const pair = value.map((each): [string, unknown][] => [[name, each]]);
    return required ? pair : fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, pair);
  });
  const unknown = sometimes(20, hostileText).map((value): [string, unknown][] =>
    value === undefined ? [] : [['unknown', value]],
  );
  return fc.tuple(...pairs, unknown).map((all) => all.flat());
}

function bodyOf(schema: Schema, context: SchemaContext): Arbitrary<unknown> {
  const good = valid(schema, context);
  return fc.oneof({ arbitrary: good, weight: 8 }, { arbitrary: nearly(good), weight: 3 }, hostile);
}

/** A body with one of its properties gone, replaced or added. */
function nearly(good: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(good, fc.nat({ max: 20 }), fc.constantFrom('gone', 'other', 'more'), hostile)
    .map(([body, at, what, value]) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return value;
      const names = Object.keys(body);
      const name = names[at % Math.max(1, names.length)] ?? 'x';
      if (what === 'more') return { ...body, [at % 2 === 0 ? '__proto__' : '$set']: value };
      const { [name]: _was, ...rest } = body as Record<string, unknown>;
      return what === 'gone' ? rest : { ...rest, [name]: value };
    });
}
