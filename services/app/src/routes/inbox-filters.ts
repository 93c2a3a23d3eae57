import { createFilterRequest, toJsonInboxFilter, updateFilterRequest } from '@postroom/resources/inbox-filter';
import { defineAppRoute } from './route.ts';

export const inboxFilterAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/inbox-filters',
    needs: 'member',
    call: async (_input, { viewFilter }, visit) => ({
      items: (await viewFilter.listInboxFilters({}, visit)).items.map(toJsonInboxFilter),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/inbox-filters',
    needs: 'admin',
    body: createFilterRequest,
    status: 201,
    call: async ({ body }, { viewFilter }, visit) => ({
      filter: toJsonInboxFilter(await viewFilter.createInboxFilter(body, visit)),
    }),
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/inbox-filters/{filterId}',
    needs: 'admin',
    body: updateFilterRequest,
    call: async ({ params: { filterId }, body: { type, value } }, { viewFilter }, visit) => ({
      filter: toJsonInboxFilter(await viewFilter.updateInboxFilter({ filterId, type, value }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/inbox-filters/{filterId}',
    needs: 'admin',
    status: 204,
    call: ({ params }, { viewFilter }, visit) => viewFilter.deleteInboxFilter(params, visit),
  }),
];
