import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import { insertWithin } from '@postroom/mail-store/insert-within';
import { parseFilters } from '@postroom/mail-store/filter-tree/parse';
import type { View } from '@postroom/proto/postroom/v1/resources';
import type { MailboxRestriction, UpdateViewRequest } from '@postroom/proto/postroom/v1/view_filter';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { KnownMailboxStore } from './known-mailbox-store.ts';
import type { ViewChange, ViewStore } from './view-store.ts';

export interface ViewDeps {
  context: Pick<ServiceContext, 'clock'>;
  views: ViewStore;
  knownMailboxes: KnownMailboxStore;
}

export function viewHandlers({ views, knownMailboxes, context }: ViewDeps) {
  return {
    listViews: async (_request, call) => ({ items: (await views.list(call.workspaceId, call)).map(toMessageView) }),

    getView: async ({ viewId }, call) => toMessageView(found(await views.find(call.workspaceId, viewId, call))),

    createView: async ({ name, icon, filtersJson, restriction }, call) => {
      const view = {
        _id: deterministicIdOf('viw', call),
        name,
        icon: iconOrNone(icon),
        filters: goodFilters(filtersJson),
        mailboxIds: (await restrictedTo(restriction, call, knownMailboxes)) ?? [],
        createdAt: context.clock.date(),
      };
      const { workspaceId } = call;
      return toMessageView(
        await insertWithin('views', {
          countOthers: () => views.countOthers(workspaceId, view._id, call),
          insert: () => views.insert(workspaceId, view, call),
          takeBack: () => views.delete(workspaceId, view._id, call),
        }),
      );
    },

    updateView: async (request, call) => {
      const mailboxIds = await restrictedTo(request.restriction, call, knownMailboxes);
      const change = { ...changeOf(request), ...(mailboxIds && { mailboxIds }) };
      const changed = await views.change(call.workspaceId, request.viewId, change, call);
      return toMessageView(found(changed));
    },

    deleteView: async ({ viewId }, call) => {
      if (!(await views.delete(call.workspaceId, viewId, call))) throw new ApiError('VIEW_NOT_FOUND');
      return {};
    },
  } satisfies Partial<Handlers<ViewFilterServiceDefinition>>;
}

/** Undefined without a restriction. */
async function restrictedTo(
  restriction: MailboxRestriction | undefined,
  call: Call,
  mailboxes: KnownMailboxStore,
): Promise<string[] | undefined> {
  if (!restriction) return undefined;
  const mailboxIds = [...new Set(restriction.mailboxIds)];
  const known = await mailboxes.known(call.workspaceId, mailboxIds, call);
  if (known.length < mailboxIds.length) refuse('mailboxIds', 'must be mailboxes of the workspace');
  return mailboxIds;
}

function changeOf({ name, icon, clearIcon, filtersJson }: UpdateViewRequest): ViewChange {
  return {
    ...(name !== undefined && { name }),
    ...((clearIcon || icon !== undefined) && { icon: clearIcon ? null : iconOrNone(icon) }),
    ...(filtersJson !== undefined && { filters: goodFilters(filtersJson) }),
  };
}

/** An empty icon is none. */
function iconOrNone(icon: string | undefined): string | null {
  return icon === undefined || icon === '' ? null : icon;
}

/** The tree as it is stored: parsed, checked and written again. */
function goodFilters(filtersJson: string): string {
  return JSON.stringify(parseFilters(filtersJson));
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
