import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { InboxFilterDocument } from '@postroom/mail-store/documents/view-filter';
import { insertWithin } from '@postroom/mail-store/insert-within';
import { toMessageLabelRef, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { InboxFilter } from '@postroom/proto/postroom/v1/resources';
import type { UpdateInboxFilterRequest } from '@postroom/proto/postroom/v1/view_filter';
import type { Call } from '@postroom/rpc/call';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { LivingLabelStore } from './living-label-store.ts';
import { readFilterValue } from './filter-value.ts';
import type { FilterValue, InboxFilterStore } from './inbox-filter-store.ts';

const ATTEMPTS = 3;

export interface InboxFilterDeps {
  context: Pick<ServiceContext, 'clock'>;
  filters: InboxFilterStore;
  labels: LivingLabelStore;
}

export function inboxFilterHandlers(deps: InboxFilterDeps) {
  const { filters } = deps;
  return {
    listInboxFilters: async (_request, call) => ({
      items: await withLabels(await filters.list(call.workspaceId, call), call, deps),
    }),
    getInboxFilter: async ({ filterId }, call) =>
      oneOf(await filters.find(call.workspaceId, filterId, call), call, deps),
    createInboxFilter: ({ type, value }, call) => create(readFilterValue(type, value), call, deps),
    updateInboxFilter: (request, call) => update(request, call, deps),
    deleteInboxFilter: async ({ filterId }, call) => {
      if (!(await filters.delete(call.workspaceId, filterId, call))) throw new ApiError('FILTER_NOT_FOUND');
      return {};
    },
    forgetLabel: async ({ labelId }, call) => ({
      deletedCount: await filters.forgetLabel(call.workspaceId, labelId, call),
    }),
  } satisfies Partial<Handlers<ViewFilterServiceDefinition>>;
}

async function create(value: FilterValue, call: Call, deps: InboxFilterDeps): Promise<InboxFilter> {
  const { filters, context } = deps;
  const { workspaceId } = call;
  await requireLabel(value, call, deps);
  const now = context.clock.date();
  const filter = { ...value, _id: deterministicIdOf('flt', call), createdAt: now, updatedAt: now };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const written = await insertWithin('inboxFilters', {
      countOthers: () => filters.countOthers(workspaceId, filter._id, call),
      insert: () => filters.insert(workspaceId, filter, call),
      takeBack: () => filters.delete(workspaceId, filter._id, call),
    });
    if (typeof written === 'object') return stillAimed(written.filter, call, deps);
    // The conflicting filter may be deleted before it can be named. Then the write is tried again.
    await refuseSame(value, call, deps);
  }
  throw new ApiError('DUPLICATE_FILTER');
}

async function update(request: UpdateInboxFilterRequest, call: Call, deps: InboxFilterDeps): Promise<InboxFilter> {
  const { filterId, type, value } = request;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const current = await deps.filters.find(call.workspaceId, filterId, call);
    if (!current) throw new ApiError('FILTER_NOT_FOUND');
    const asked = readFilterValue(type ?? current.type, value ?? current.value);
    await requireLabel(asked, call, deps, value === undefined);
    const change = { ...asked, updatedAt: deps.context.clock.date() };
    const written = await deps.filters.change(call.workspaceId, current, change, call);
    if (typeof written === 'object') return stillAimed(written.filter, call, deps);
    if (written === 'duplicate') await refuseSame(asked, call, deps);
  }
  throw new ApiError('DUPLICATE_FILTER');
}

/** A label that the caller names and that is missing is a 404. A value that was no label is a 400 for the new type. */
async function requireLabel({ type, value }: FilterValue, call: Call, { labels }: InboxFilterDeps, isLeftOver = false) {
  if (type !== 'label') return;
  const [label] = await labels.living(call.workspaceId, [value], call);
  if (label) return;
  if (isLeftOver) refuse('value', 'must be the id of a label when type is label');
  throw new ApiError('LABEL_NOT_FOUND');
}

async function refuseSame(value: FilterValue, call: Call, { filters }: InboxFilterDeps): Promise<void> {
  const same = await filters.findSame(call.workspaceId, value, call);
  if (same) throw new ApiError('DUPLICATE_FILTER', { details: { filterId: same._id } });
}

/** The label may be deleted while the filter is written, after its filters were removed. Then this filter goes, too. */
async function stillAimed(filter: InboxFilterDocument, call: Call, deps: InboxFilterDeps): Promise<InboxFilter> {
  const [shown] = await withLabels([filter], call, deps);
  if (shown) return shown;
  await deps.filters.delete(call.workspaceId, filter._id, call);
  throw new ApiError('LABEL_NOT_FOUND');
}

async function oneOf(filter: InboxFilterDocument | null, call: Call, deps: InboxFilterDeps): Promise<InboxFilter> {
  const [shown] = filter ? await withLabels([filter], call, deps) : [];
  if (!shown) throw new ApiError('FILTER_NOT_FOUND');
  return shown;
}

/** Filters as callers see them. A filter with a deleted label is left out, because it is about to be removed. */
async function withLabels(
  filters: InboxFilterDocument[],
  call: Call,
  { labels }: InboxFilterDeps,
): Promise<InboxFilter[]> {
  const labelIds = filters.filter(({ type }) => type === 'label').map(({ value }) => value);
  const living = await labels.living(call.workspaceId, labelIds, call);
  const byId = new Map(living.map((label) => [label._id, label]));
  return filters
    .filter(({ type, value }) => type !== 'label' || byId.has(value))
    .map((filter) => toMessageInboxFilter(filter, filter.type === 'label' ? byId.get(filter.value) : undefined));
}

function toMessageInboxFilter(filter: InboxFilterDocument, label: LabelRefDocument | undefined): InboxFilter {
  return {
    id: filter._id,
    type: filter.type,
    value: filter.value,
    label: label && toMessageLabelRef(label),
    createdAt: filter.createdAt.toISOString(),
    updatedAt: filter.updatedAt.toISOString(),
  };
}
