import { describe, expect, it } from '@jest/globals';
import { routes } from '../routes/table.ts';
import { describeApi } from './describe-api.ts';

interface Operation {
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}
interface Description {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const description = describeApi(routes, undefined) as unknown as Description;
const text = JSON.stringify(description);
const operationOf = (path: string, method: string) => description.paths[path]?.[method] as Operation;

describe('the API description', () => {
  it('is OpenAPI 3.1 and relative to its own address unless another is configured', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.servers).toEqual([{ url: '/api/v1' }]);
    expect(describeApi(routes, 'https://mail.example/api/v1').servers).toEqual([
      { url: 'https://mail.example/api/v1' },
    ]);
  });

  it('holds every route with its scope, and itself without a key', () => {
    for (const { method, path, scope } of routes) {
      expect(operationOf(path, method.toLowerCase()).security).toEqual([{ apiKey: [scope] }]);
    }
    expect(operationOf('/openapi.json', 'get').security).toEqual([]);
    expect(Object.values(description.paths).flatMap(Object.keys)).toHaveLength(routes.length + 1);
  });

  it('refers to nothing that is not there', () => {
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer as string);
    const lookUp = (pointer: string) =>
      pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], description);
    expect([...new Set(references)].filter((pointer) => lookUp(pointer) === undefined)).toEqual([]);
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

  it('stays small enough to be fetched on a whim', () => expect(text.length).toBeLessThan(120_000));
});
