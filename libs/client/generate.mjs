// Writes src/operations.ts from docs/openapi.json; runs at install, so that the generated code is never committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DESCRIPTION = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const TARGET = fileURLToPath(new URL('src/operations.ts', import.meta.url));

const { paths, components } = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
const header = '// Written by generate.mjs from docs/openapi.json.';
writeFileSync(TARGET, `${[header, ...schemas(), ...operations()].join('\n\n')}\n`);

function schemas() {
  const { Error: error, ...others } = components.schemas;
  const codes = `export type ErrorCode = ${typeOf({ enum: error.properties.code.enum })};`;
  return [codes, ...Object.entries(others).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`)];
}

function operations() {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );
  const types = all.map((operation) => {
    const { operationId, summary, parameters = [], requestBody, responses } = operation;
    const fields = parameters.filter(({ in: place }) => place !== 'header').map(field);
    const body = requestBody ? typeOf(contentOf(requestBody)) + (requestBody.required ? '' : ' | undefined') : 'never';
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))[1];
    const reply = success.content ? typeOf(contentOf(success)) : 'undefined';
    return `/** ${summary}. */\n${operationId}: { params: {${fields.join('')}}; body: ${body}; reply: ${reply} };`;
  });
  const table = all.map(({ operationId, method, path, parameters = [], requestBody }) => {
    const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    return `${operationId}: ${JSON.stringify({ method, path, query, hasBody: requestBody !== undefined })},`;
  });
  return [
    `export interface Operations {\n${types.join('\n')}\n}`,
    'export interface Operation { method: string; path: string; query: readonly string[]; hasBody: boolean }',
    `export const operations: Record<keyof Operations, Operation> = {\n${table.join('\n')}\n};`,
  ];
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
