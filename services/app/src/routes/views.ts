import { toJsonLabel } from '@postroom/resources/label';
import { createViewInApp, toJsonView, updateViewInApp } from '@postroom/resources/view';
import { defineAppRoute } from './route.ts';

const restrictionOf = (mailboxIds: string[] | undefined) => (mailboxIds ? { mailboxIds } : undefined);
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
    body: createViewInApp,
    status: 201,
    call: async ({ body: { name, icon, filters, mailboxIds } }, { viewFilter }, visit) => {
      const restriction = restrictionOf(mailboxIds);
      const request = { name, icon: icon ?? undefined, filtersJson: asJson(filters) ?? '{}', restriction };
      return { view: toJsonView(await viewFilter.createView(request, visit)) };
    },
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/views/{viewId}',
    needs: 'admin',
    body: updateViewInApp,
    call: async ({ params: { viewId }, body: { name, icon, filters, mailboxIds } }, { viewFilter }, visit) => {
      const restriction = restrictionOf(mailboxIds);
      const change = { name, icon: icon ?? undefined, clearIcon: icon === null, filtersJson: asJson(filters) };
      return { view: toJsonView(await viewFilter.updateView({ viewId, ...change, restriction }, visit)) };
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
