import { createViewRequest, toJsonView, updateViewRequest, viewListReply, viewReply } from '@postroom/resources/view';
import { defineRoute } from './route.ts';

const tag = 'Views';
const asJson = (filters: unknown) => (filters === undefined ? undefined : JSON.stringify(filters));

export const viewRoutes = [
  defineRoute({
    method: 'GET',
    path: '/views',
    operationId: 'listViews',
    tag,
    summary: 'All saved views',
    scope: 'read',
    reply: { status: 200, schema: viewListReply, description: 'The views.' },
    errors: [],
    call: async (_input, { viewFilter }, context) => {
      const { items } = await viewFilter.listViews({}, context);
      return { items: items.map(toJsonView) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/views/{viewId}',
    operationId: 'getView',
    tag,
    summary: 'One view',
    scope: 'read',
    reply: { status: 200, schema: viewReply, description: 'The view.' },
    errors: ['VIEW_NOT_FOUND'],
    call: async ({ params }, { viewFilter }, context) => ({
      view: toJsonView(await viewFilter.getView(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/views',
    operationId: 'createView',
    tag,
    summary: 'Save a view',
    scope: 'write',
    idempotent: true,
    body: createViewRequest,
    reply: { status: 201, schema: viewReply, description: 'The new view.' },
    errors: [],
    call: async ({ body: { name, icon, filters } }, { viewFilter }, context) => {
      const request = { name, icon: icon ?? undefined, filtersJson: asJson(filters) ?? '{}' };
      return { view: toJsonView(await viewFilter.createView(request, context)) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/views/{viewId}',
    operationId: 'updateView',
    tag,
    summary: 'Change a view',
    description: '`filters` replaces the whole tree; `icon: null` takes the icon away.',
    scope: 'write',
    body: updateViewRequest,
    reply: { status: 200, schema: viewReply, description: 'The view as it is now.' },
    errors: ['VIEW_NOT_FOUND'],
    call: async ({ params: { viewId }, body: { name, icon, filters } }, { viewFilter }, context) => {
      const change = { name, icon: icon ?? undefined, clearIcon: icon === null, filtersJson: asJson(filters) };
      return { view: toJsonView(await viewFilter.updateView({ viewId, ...change }, context)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/views/{viewId}',
    operationId: 'deleteView',
    tag,
    summary: 'Delete a view',
    scope: 'write',
    reply: { status: 204, description: 'The view is gone.' },
    errors: ['VIEW_NOT_FOUND'],
    call: ({ params }, { viewFilter }, context) => viewFilter.deleteView(params, context),
  }),
];
