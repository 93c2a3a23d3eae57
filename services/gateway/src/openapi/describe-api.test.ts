import { describe, expect, it, jest } from '@jest/globals';
import { FILTER_FIELDS, filterOperators } from '@postroom/contract/filter-fields';
import { apiCatalogue } from '@postroom/errors/catalogue';
import { openRoutes, routes } from '../routes/table.ts';
import { describeApi } from './describe-api.ts';

interface Operation {
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
  responses: Record<string, Response>;
}
interface Response {
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
  $ref?: string;
  headers?: Record<string, unknown>;
  content: { 'application/json': { examples: Record<string, unknown> } };
}
interface Schema {
  minProperties?: number;
  enum?: string[];
  oneOf?: { $ref: string }[];
  properties?: Record<string, Schema | undefined>;
}
interface Description {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    examples: Record<string, { value: { code: string; details?: object } }>;
  };
}

const description = describeApi(routes, undefined) as unknown as Description;
const text = JSON.stringify(description);
const schemaOf = (name: string) => description.components.schemas[name] as Schema;
const operationOf = (path: string, method: string) => description.paths[path]?.[method] as Operation;

describe('the API description', () => {
  it('is OpenAPI 3.1 and relative to its own address unless another is configured', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.servers).toEqual([{ url: '/api/v1' }]);
    expect(describeApi(routes, 'https://mail.example/api/v1').servers).toEqual([
      { url: 'https://mail.example/api/v1' },
    ]);
  });

  it('is the same text in whichever order modules are loaded', () => {
    jest.isolateModules(() => {
      require('@postroom/resources/webhook');
      require('@postroom/resources/draft');
      const later = require('./describe-api.ts') as { describeApi: typeof describeApi };
      const table = require('../routes/table.ts') as { routes: typeof routes };
      expect(JSON.stringify(later.describeApi(table.routes, undefined))).toBe(text);
    });
  });

  it('says nothing of closed routes: no path, no code, no schema and no group', () => {
    const closed = JSON.stringify(describeApi(openRoutes([]), undefined));
    for (const word of ['/changes', 'CHANGES_EXPIRED', 'ChangePage', '"Changes"', 'x-feature']) {
      expect([word, text.includes(word), closed.includes(word)]).toEqual([word, true, false]);
    }
  });

  it('holds every route with its scope, and itself without a key', () => {
    for (const { method, path, scope, permission } of routes) {
      const needed = permission ? [scope, 'allowOutboundSend'] : [scope];
      expect(operationOf(path, method.toLowerCase()).security).toEqual([{ apiKey: needed }]);
    }
    expect(operationOf('/openapi.json', 'get').security).toEqual([]);
    expect(Object.values(description.paths).flatMap(Object.keys)).toHaveLength(routes.length + 1);
  });

  it('refers to nothing that is not there', () => {
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer as string);
    const lookup = (pointer: string) =>
      pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], description);
    expect([...new Set(references)].filter((pointer) => lookup(pointer) === undefined)).toEqual([]);
    expect(text).not.toContain('$defs');
    expect(text).not.toContain('__shared');
  });

  it('shows path, query and header parameters', () => {
    const names = (path: string, method: string) =>
      operationOf(path, method).parameters?.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(names('/labels/{labelId}', 'get')).toEqual(['path labelId']);
    expect(names('/emails/search', 'get')).toEqual([
      'query q',
      'query mailboxId',
      'query folderType',
      'query cursor',
      'query limit',
    ]);
    expect(names('/labels', 'post')).toEqual(['header Idempotency-Key']);
  });

  it('names the statuses of each route, its own and those of all', () => {
    expect(Object.keys(operationOf('/labels', 'post').responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '408',
      '409',
      '413',
      '429',
      '500',
    ]);
    expect(Object.keys(operationOf('/labels/{labelId}', 'delete').responses)).toContain('404');
  });

  it('shows for every code that very refusal, and for none another', () => {
    const { responses, examples } = description.components;
    for (const [name, { content }] of Object.entries(responses)) {
      const codes = name.replace('.replayable', '').split('.');
      expect(Object.keys(content['application/json'].examples)).toEqual(codes);
    }
    for (const [code, { value }] of Object.entries(examples)) expect(value).toMatchObject({ code });
    expect(Object.keys(examples).sort()).toEqual(Object.keys(apiCatalogue).sort());
    expect(examples['QUOTA_EXCEEDED']?.value.details).toMatchObject({ used: 10_000, quota: 10_000 });
    expect(examples['NOT_FOUND']?.value).not.toHaveProperty('details');
  });

  it('shows each header where it occurs, and nowhere else', () => {
    const headersAt = (path: string, method: string) =>
      Object.fromEntries(
        Object.entries(operationOf(path, method).responses).map(([status, response]) => {
          const named = response.$ref?.split('/').at(-1);
          const { headers = {} } = named ? (description.components.responses[named] as Response) : response;
          return [status, Object.keys(headers).filter((name) => !name.startsWith('X-RateLimit-'))];
        }),
      );
    const id = 'X-Request-Id';
    expect(headersAt('/labels', 'post')).toEqual({
      201: [id, 'Idempotency-Replayed'],
      400: [id, 'Idempotency-Replayed'],
      401: [id, 'WWW-Authenticate'],
      403: [id],
      408: [id],
      409: [id, 'Idempotency-Replayed'],
      413: [id],
      429: [id, 'Retry-After'],
      500: [id, 'Retry-After'],
    });
    expect(Object.values(headersAt('/labels', 'get')).flat()).not.toContain('Idempotency-Replayed');
    for (const [name, { headers = {} }] of Object.entries(description.components.responses)) {
      const six = Object.keys(headers).filter((header) => header.startsWith('X-RateLimit-'));
      expect([name, six.length]).toEqual([name, name.startsWith('INVALID_API_KEY') ? 0 : 6]);
    }
  });

  it('takes each field of a filter tree with its own operators, each with one kind of value', () => {
    const forms = schemaOf('FilterNode').oneOf?.map(({ $ref }) => schemaOf($ref.split('/').at(-1) ?? ''));
    const kinds = forms?.flatMap(({ properties }) => (properties?.label ? [properties] : []));
    for (const field of FILTER_FIELDS) {
      const ofField = kinds?.filter(({ label }) => label?.enum?.includes(field));
      const operators = ofField?.flatMap(({ type }) => type?.enum ?? []);
      expect([field, operators?.sort()]).toEqual([field, [...filterOperators[field]].sort()]);
    }
    const valueOf = (field: string, operator: string) =>
      kinds?.find(({ label, type }) => label?.enum?.includes(field) && type?.enum?.includes(operator))?.value;
    expect(valueOf('ai_label', 'is_empty')).toMatchObject({ const: '' });
    expect(valueOf('read_status', 'is_false')).toMatchObject({ const: '' });
    expect(valueOf('folder', 'equals')?.enum).toContain('TRASH');
    expect(valueOf('subject', 'contains')).toMatchObject({ type: 'string', maxLength: 500 });
  });

  it('asks a change for at least one property, and a limit for no more than can be read', () => {
    const changes = routes.filter(({ method }) => method === 'PATCH');
    for (const { path } of changes) {
      const { requestBody } = operationOf(path, 'patch');
      const named = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
      expect([path, schemaOf(named).minProperties]).toEqual([path, 1]);
    }
    const limits = Object.values(description.paths)
      .flatMap(Object.values<Operation>)
      .flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === 'limit'));
    expect(limits.length).toBeGreaterThan(1);
    for (const { schema } of limits) expect(schema).not.toHaveProperty('maximum');
  });

  it('leads from what an answer holds to what can be done with it', () => {
    const linksAt = (path: string, method: string, status: number) =>
      Object.entries(operationOf(path, method).responses[status]?.links ?? {}).map(([name, link]) => {
        expect(link.operationId).toBe(name);
        return `${name} ${Object.entries(link.parameters).flat().join(' ')}`;
      });
    expect(linksAt('/labels', 'post', 201)).toContain('deleteLabel labelId $response.body#/label/id');
    expect(linksAt('/emails', 'get', 200)).toContain('listEmails cursor $response.body#/nextCursor');
    expect(linksAt('/drafts/send', 'post', 200)).toContain('getEmailBody emailId $response.body#/email/id');
    expect(linksAt('/auto-forward-rules', 'get', 200)).toContain(
      'getAutoForwardRule ruleId $response.body#/items/0/id',
    );
    // A log's id is no rule's.
    expect(linksAt('/auto-forward-rules/{ruleId}/logs', 'get', 200)).toEqual([]);
    expect(linksAt('/labels/{labelId}', 'delete', 204)).toEqual([]);
  });

  it('stays small enough to be fetched on a whim, and with all features, too', () => {
    expect(JSON.stringify(describeApi(openRoutes([]), undefined)).length).toBeLessThan(200_000);
    expect(text.length).toBeLessThan(250_000);
  });
});
