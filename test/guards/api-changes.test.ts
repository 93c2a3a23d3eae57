import { describe, expect, it } from '@jest/globals';
import { describeApi } from '../../services/gateway/src/openapi/describe-api.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { apiChanges, type Description } from './api-changes.ts';

/** The description as plain JSON, to be changed at will. */
const fresh = () => JSON.parse(JSON.stringify(describeApi(routes, undefined))) as ReturnType<typeof JSON.parse>;
type Api = ReturnType<typeof fresh>;

/** Applies a change to the description, and returns its report: its name, and whether it breaks clients. */
const changesOf = (change: (api: Api) => void) => {
  const after = fresh();
  change(after);
  return apiChanges(fresh() as Description, after as Description).map(({ where, what, breaks }) => [
    `${where} ${what}`,
    breaks,
  ]);
};
const filters = 'POST /filters body';

describe('a change of the API description', () => {
  it('that there is none, or in words alone, is none', () => {
    expect(changesOf(() => undefined)).toEqual([]);
    expect(changesOf((api) => (api.paths['/labels'].get.summary = 'Other words'))).toEqual([]);
  });

  it.each([
    ['GET /labels is gone', (api: Api) => delete api.paths['/labels'].get],
    ['GET /labels is now called labels', (api: Api) => (api.paths['/labels'].get.operationId = 'labels')],
    [
      'GET /emails query limit must be there now',
      (api: Api) => (api.paths['/emails'].get.parameters.find((p: Api) => p.name === 'limit').required = true),
    ],
    ['GET /views 200 is gone', (api: Api) => delete api.paths['/views'].get.responses[200]],
    [
      'GET /views 200 the header X-Request-Id is gone',
      (api: Api) => delete api.paths['/views'].get.responses[200].headers['X-Request-Id'],
    ],
    [
      `${filters}.type label is no value any more`,
      (api: Api) => api.components.schemas.CreateFilterRequest.properties.type.enum.pop(),
    ],
    [
      `${filters}.value maxLength is 9 and was 255`,
      (api: Api) => (api.components.schemas.CreateFilterRequest.properties.value.maxLength = 9),
    ],
    [
      'GET /signatures 200.items[].position may be missing now',
      (api: Api) =>
        (api.components.schemas.Signature.required = api.components.schemas.Signature.required.filter(
          (name: string) => name !== 'position',
        )),
    ],
    ['GET /signatures 200.items[].name is gone', (api: Api) => delete api.components.schemas.Signature.properties.name],
  ])('breaks clients where %s', (told, change) => expect(changesOf(change)).toContainEqual([told, true]));

  it.each([
    ['GET /labels/count is new', (api: Api) => (api.paths['/labels/count'] = { get: api.paths['/labels'].get })],
    [
      'GET /labels query color is new',
      (api: Api) => api.paths['/labels'].get.parameters.push({ name: 'color', in: 'query', schema: {} }),
    ],
    [`${filters}.note is new`, (api: Api) => (api.components.schemas.CreateFilterRequest.properties.note = {})],
    [
      `${filters}.value maxLength is 999 and was 255`,
      (api: Api) => (api.components.schemas.CreateFilterRequest.properties.value.maxLength = 999),
    ],
    [
      'GET /signatures 200.items[].note is new',
      (api: Api) => (api.components.schemas.Signature.properties.note = { type: 'string' }),
    ],
  ])('breaks nobody where %s', (told, change) => {
    const changes = changesOf(change);
    expect(changes).toContainEqual([told, false]);
    expect(changes.filter(([, breaks]) => breaks)).toEqual([]);
  });
});
