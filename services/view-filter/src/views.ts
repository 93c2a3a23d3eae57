import { ApiError } from '@postroom/errors/api-error';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import type { View } from '@postroom/proto/postroom/v1/resources';
import type { UpdateViewRequest, ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { checkedFilters, checkedIcon, checkedName } from './view-rules.ts';
import type { ViewChange, ViewStore } from './view-store.ts';

interface Deps {
  views: ViewStore;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}
type ViewHandlers = Pick<
  Handlers<typeof ViewFilterServiceDefinition>,
  'listViews' | 'getView' | 'createView' | 'updateView' | 'deleteView'
>;

export function createViewHandlers({ views, context }: Deps): ViewHandlers {
  return {
    listViews: async (_request, call) => ({ items: (await views.list(call.workspaceId, call)).map(toMessageView) }),

    getView: async ({ viewId }, call) => toMessageView(found(await views.find(call.workspaceId, viewId, call))),

    createView: async ({ name, icon, filtersJson }, call) => {
      const view = {
        _id: context.ids('viw'),
        name: checkedName(name),
        icon: checkedIcon(icon),
        filters: checkedFilters(filtersJson),
        mailboxIds: [],
        createdAt: context.clock.date(),
      };
      return toMessageView(await views.insert(call.workspaceId, view));
    },

    updateView: async (request, call) => {
      const change = changeOf(request);
      if (Object.keys(change).length === 0) {
        throw new ApiError('VALIDATION_FAILED', { details: { body: ['must hold name, icon or filters'] } });
      }
      return toMessageView(found(await views.change(call.workspaceId, request.viewId, change, call)));
    },

    deleteView: async ({ viewId }, call) => {
      if (!(await views.delete(call.workspaceId, viewId, call))) throw new ApiError('VIEW_NOT_FOUND');
      return {};
    },
  };
}

function changeOf({ name, icon, clearIcon, filtersJson }: UpdateViewRequest): ViewChange {
  return {
    ...(name !== undefined && { name: checkedName(name) }),
    ...((clearIcon || icon !== undefined) && { icon: clearIcon ? null : checkedIcon(icon) }),
    ...(filtersJson !== undefined && { filters: checkedFilters(filtersJson) }),
  };
}

function found(view: ViewDocument | null): ViewDocument {
  if (!view) throw new ApiError('VIEW_NOT_FOUND');
  return view;
}

function toMessageView(view: ViewDocument): View {
  return {
    id: view._id,
    name: view.name,
    icon: view.icon ?? undefined,
    filtersJson: view.filters,
    mailboxIds: view.mailboxIds,
    createdAt: view.createdAt.toISOString(),
  };
}
