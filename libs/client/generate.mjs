// Writes src/operations.ts from the descriptions of docs/; runs at install, so that the generated code is never committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (file) => JSON.parse(readFileSync(fileURLToPath(new URL(`../../docs/${file}`, import.meta.url)), 'utf8'));
const TARGET = fileURLToPath(new URL('src/operations.ts', import.meta.url));

const open = read('openapi.json');
const features = read('openapi-features.json');
const paths = { ...features.paths, ...open.paths };
const named = { ...features.components.schemas, ...open.components.schemas };
const codes = [open, features].flatMap(({ components }) => components.schemas.Error.properties.code.enum);
const header = '// Written by generate.mjs from docs/openapi.json and docs/openapi-features.json.';
writeFileSync(TARGET, `${[header, ...schemas(), ...operations()].join('\n\n')}\n`);

function schemas() {
  const { Error: _error, ...others } = named;
  const errorCode = `export type ErrorCode = ${typeOf({ enum: [...new Set(codes)] })};`;
  return [errorCode, ...Object.entries(others).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`)];
}

function operations() {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // A stream is read event by event and not by a call.
      .filter(([, operation]) => !isStream(operation))
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        feature: operation['x-feature'],
      })),
  );
  const types = all.map((operation) => {
    const { operationId, summary, parameters = [], requestBody, feature } = operation;
    const fields = parameters.filter(({ in: place }) => place !== 'header').map(field);
    const body = requestBody ? typeOf(contentOf(requestBody)) + (requestBody.required ? '' : ' | undefined') : 'never';
    const success = successOf(operation);
    const reply = success.content ? typeOf(contentOf(success)) : 'undefined';
    const types = [
      `params: {${fields.join('')}}`,
      `body: ${body}`,
      `reply: ${reply}`,
      `feature: ${typeOf({ const: feature ?? null })}`,
    ];
    return `/** ${summary}. */\n${operationId}: { ${types.join('; ')} };`;
  });
  const table = all.map(({ operationId, method, path, parameters = [], requestBody, feature = null }) => {
    const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    return `${operationId}: ${JSON.stringify({ method, path, query, hasBody: requestBody !== undefined, feature })},`;
  });
  const names = [...new Set(all.flatMap(({ feature = [] }) => feature))];
  return [
    `export type Feature = ${names.length > 0 ? typeOf({ enum: names }) : 'never'};`,
    `export interface Operations {\n${types.join('\n')}\n}`,
    'export interface Operation { method: string; path: string; query: readonly string[]; hasBody: boolean; feature: Feature | null }',
    `export const operations: Record<keyof Operations, Operation> = {\n${table.join('\n')}\n};`,
  ];
}

function successOf({ responses }) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))[1];
}

function isStream(operation) {
  return 'text/event-stream' in (successOf(operation).content ?? {});
}

function contentOf({ content }) {
  return content['application/json'].schema;
}

function field({ name, required, description, schema }) {
  const words = description ?? schema.description;
  const comment = words ? `/** ${words.replaceAll('*/', '* /')} */\n` : '';
  return `\n${comment}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`;
}

function typeOf(schema) {
  const { $ref, enum: values, const: value, anyOf, oneOf, allOf, type, properties, items } = schema;
  if ($ref) return $ref.split('/').at(-1);
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
  if (value !== undefined) return JSON.stringify(value);
  if (properties) return objectOf(schema);
  if (anyOf || oneOf) return (anyOf ?? oneOf).map(typeOf).join(' | ');
  if (allOf) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  if (type === 'array') return `(${items ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return schema.maxProperties === 0 ? 'Record<string, never>' : 'Record<string, unknown>';
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type] ?? 'unknown';
}

function objectOf({ properties, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field({ name, required: required.includes(name), schema }),
  );
  return `{${fields.join('')}\n}`;
}
