import {
  createFilterRequest,
  filterListReply,
  filterReply,
  toJsonInboxFilter,
  updateFilterRequest,
} from '@postroom/resources/inbox-filter';
import { defineRoute } from './route.ts';

const tag = 'Inbox filters';

export const filterRoutes = [
  defineRoute({
    method: 'GET',
    path: '/filters',
    operationId: 'listFilters',
    tag,
    summary: 'All inbox filters',
    scope: 'read',
    reply: { status: 200, schema: filterListReply, description: 'The filters.' },
    errors: [],
    call: async (_input, { viewFilter }, context) => {
      const { items } = await viewFilter.listInboxFilters({}, context);
      return { items: items.map(toJsonInboxFilter) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/filters/{filterId}',
    operationId: 'getFilter',
    tag,
    summary: 'One inbox filter',
    scope: 'read',
    reply: { status: 200, schema: filterReply, description: 'The filter.' },
    errors: ['FILTER_NOT_FOUND'],
    call: async ({ params }, { viewFilter }, context) => ({
      filter: toJsonInboxFilter(await viewFilter.getInboxFilter(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/filters',
    operationId: 'createFilter',
    tag,
    summary: 'Hide matching emails from the main inbox',
    description: 'Applies when listing, to past emails too, and is undone by deleting it.',
    scope: 'write',
    idempotent: true,
    body: createFilterRequest,
    reply: { status: 201, schema: filterReply, description: 'The new filter.' },
    errors: ['LABEL_NOT_FOUND', 'DUPLICATE_FILTER'],
    call: async ({ body }, { viewFilter }, context) => ({
      filter: toJsonInboxFilter(await viewFilter.createInboxFilter(body, context)),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/filters/{filterId}',
    operationId: 'updateFilter',
    tag,
    summary: 'Change an inbox filter',
    description: 'The filter that results is checked as a whole: a new type needs a value that fits it.',
    scope: 'write',
    body: updateFilterRequest,
    reply: { status: 200, schema: filterReply, description: 'The filter as it is now.' },
    errors: ['FILTER_NOT_FOUND', 'LABEL_NOT_FOUND', 'DUPLICATE_FILTER'],
    call: async ({ params: { filterId }, body: { type, value } }, { viewFilter }, context) => ({
      filter: toJsonInboxFilter(await viewFilter.updateInboxFilter({ filterId, type, value }, context)),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/filters/{filterId}',
    operationId: 'deleteFilter',
    tag,
    summary: 'Delete an inbox filter',
    scope: 'write',
    reply: { status: 204, description: 'The filter is gone.' },
    errors: ['FILTER_NOT_FOUND'],
    call: ({ params }, { viewFilter }, context) => viewFilter.deleteInboxFilter(params, context),
  }),
];
