import { catalogue, isErrorCode } from '@postroom/errors/catalogue';
import addFormats from 'ajv-formats';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import { describeApi } from '../../services/gateway/src/openapi/describe-api.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { closed } from './closed-schemas.ts';
import type { Answer } from './client.ts';

interface Response {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: { 'application/json': object };
}
type Operation = { responses: Record<string, Response>; 'x-feature'?: string };

const document = closed(describeApi(routes, undefined)) as { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
addFormats(ajv);
ajv.addSchema(document, 'api');

/** Fixed words before parameters, as OpenAPI has it and as the gateway looks. */
const templates = Object.keys(document.paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
/** Headers that mean something to a client of this API: one that is not described is none it can rely on. */
const TELLING = /^(x-|retry-after|idempotency-replayed|www-authenticate)/;
const UNDESCRIBED = new Set(['x-content-type-options']);

/** Throws when an answer is not one that the API description announces for that call. */
export function expectDescribed(method: string, pathAndQuery: string, answer: Answer): void {
  const faults = faultsOf(method, pathAndQuery, answer);
  if (faults.length === 0) return;
  const said = JSON.stringify(answer.body)?.slice(0, 1_000);
  throw new Error(`${method} ${pathAndQuery} is not as described: ${faults.join('; ')}\n${answer.status} ${said}`);
}

function faultsOf(method: string, pathAndQuery: string, answer: Answer): string[] {
  const path = pathAndQuery.replace(/[?#].*$/, '');
  const verb = method.toLowerCase();
  const candidates = templates.filter(({ pattern, path: each }) => pattern.test(path) && document.paths[each]?.[verb]);
  const template = candidates[0]?.path ?? '';
  const operation = document.paths[template]?.[verb];
  if (!operation || isClosed(operation, answer)) return [...faultsOfError(answer), ...faultsOfType(answer)];
  const pointer = `#/paths/${escaped(template)}/${verb}/responses/${answer.status}`;
  const response = operation.responses[answer.status];
  if (!response) return [`the status ${answer.status} is not one of ${Object.keys(operation.responses).join(', ')}`];
  const at = response.$ref ?? pointer;
  return [...faultsOfHeaders(resolve<Response>(response), answer), ...faultsOfBody(at, resolve(response), answer)];
}

/** An operation whose feature is closed is a path that no route has. */
function isClosed(operation: Operation, { body }: Answer): boolean {
  return operation['x-feature'] !== undefined && (body as { code?: string } | undefined)?.code === 'NOT_FOUND';
}

function faultsOfHeaders({ headers = {} }: Response, answer: Answer): string[] {
  const described = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
  const missing = [...described]
    .filter(([name, header]) => resolve<{ required?: boolean }>(header).required && !answer.headers.has(name))
    .map(([name]) => `the header ${name} is missing`);
  const wrong = [...described].flatMap(([name, header]) => {
    const value = answer.headers.get(name);
    const { schema } = resolve<{ schema: { type: string } }>(header);
    if (value === null || ajv.validate(schema, schema.type === 'integer' ? Number(value) : value)) return [];
    return [`the header ${name} ${ajv.errorsText()}`];
  });
  const others = [...answer.headers.keys()].filter((name) => TELLING.test(name) && !UNDESCRIBED.has(name));
  return [...missing, ...wrong, ...others.filter((name) => !described.has(name)).map((name) => `no header ${name}`)];
}

function faultsOfBody(at: string, { content }: Response, answer: Answer): string[] {
  if (!content) return answer.body === undefined ? [] : ['there is a body where none is described'];
  const fits = schemaAt(`${at}/content/application~1json/schema`);
  const words = fits(answer.body) ? [] : [ajv.errorsText(fits.errors, { dataVar: 'body' })];
  return [...words, ...faultsOfType(answer)];
}

/** ajv compiles each schema once, because it caches it by its pointer. */
function schemaAt(pointer: string): ValidateFunction {
  const known = ajv.getSchema(`api${pointer}`);
  if (!known) throw new Error(`the description has nothing at ${pointer}`);
  return known;
}

/** Checks the answer to a request that matches no operation: it must be an error in the common form. */
function faultsOfError({ status, body }: Answer): string[] {
  const fits = schemaAt('#/components/schemas/Error');
  if (!fits(body)) return [ajv.errorsText(fits.errors)];
  const { code } = body as { code: string };
  return isErrorCode(code) && catalogue[code].http === status ? [] : [`${code} has another status than ${status}`];
}

const faultsOfType = ({ headers }: Answer) =>
  headers.get('content-type') === 'application/json; charset=utf-8' ? [] : ['the type of the body is not JSON'];

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

function resolve<T>(part: object & { $ref?: string }): T {
  if (part.$ref === undefined) return part as T;
  const steps = part.$ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}
