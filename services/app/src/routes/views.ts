import { toJsonLabel } from '@postroom/resources/label';
import { createViewRequest, toJsonView, updateViewRequest } from '@postroom/resources/view';
import { defineAppRoute } from './route.ts';

const asJson = (filters: unknown) => (filters === undefined ? undefined : JSON.stringify(filters));

export const viewAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/labels',
    needs: 'member',
    call: async (_input, { labelRule }, visit) => ({
      items: (await labelRule.listLabels({}, visit)).items.map(toJsonLabel),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/views',
    needs: 'member',
    call: async (_input, { viewFilter }, visit) => ({
      items: (await viewFilter.listViews({}, visit)).items.map(toJsonView),
    }),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/views/{viewId}',
    needs: 'member',
    call: async ({ params }, { viewFilter }, visit) => ({ view: toJsonView(await viewFilter.getView(params, visit)) }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/views',
    needs: 'admin',
    body: createViewRequest,
    status: 201,
    call: async ({ body: { name, icon, filters } }, { viewFilter }, visit) => {
      const request = { name, icon: icon ?? undefined, filtersJson: asJson(filters) ?? '{}' };
      return { view: toJsonView(await viewFilter.createView(request, visit)) };
    },
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/views/{viewId}',
    needs: 'admin',
    body: updateViewRequest,
    call: async ({ params: { viewId }, body: { name, icon, filters } }, { viewFilter }, visit) => {
      const change = { name, icon: icon ?? undefined, clearIcon: icon === null, filtersJson: asJson(filters) };
      return { view: toJsonView(await viewFilter.updateView({ viewId, ...change }, visit)) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/views/{viewId}',
    needs: 'admin',
    status: 204,
    call: ({ params }, { viewFilter }, visit) => viewFilter.deleteView(params, visit),
  }),
];
