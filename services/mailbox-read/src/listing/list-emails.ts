import { ApiError } from '@postroom/errors/api-error';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import { asksForLabels, compileFilters } from '@postroom/mail-store/filter-tree/compile';
import { parseFilters, readStoredFilters } from '@postroom/mail-store/filter-tree/parse';
import { ALWAYS, every, type Query } from '@postroom/mail-store/filter-tree/query';
import type { FilterContext, FilterTree } from '@postroom/mail-store/filter-tree/tree';
import type { ListEmailsRequest } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Page } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';
import { hidingPart } from './inbox-hiding.ts';
import { scopeQuery } from './scope.ts';
import { clampLimit, readPage, startOf, type PagingDeps } from '../pages/paging.ts';
import { wordsOfKeywords } from './keyword-filter.ts';
import { wordsQuery } from './words-query.ts';

export interface ListDeps extends PagingDeps {
  context: Pick<ServiceContext, 'clock'>;
  settings: SettingsStore;
}

/** GET /emails */
export async function listEmails(request: ListEmailsRequest, call: Call, deps: ListDeps): Promise<Page> {
  const identity = identityOf(request, call);
  const position = startOf(request.cursor, identity, deps.cursors);
  const { query } = await narrow(request, call, deps);
  const { limit, pageBytes } = request;
  return readPage({ identity, tiers: [query], position, limit: clampLimit(limit), pageBytes }, deps, call);
}

/** Everything that is asked narrows together. `mailboxes` is the part of the query that names them, and all of it where nothing else is asked. */
export async function narrow(request: Omit<ListEmailsRequest, 'cursor' | 'limit'>, call: Call, deps: ListDeps) {
  const filters = request.filtersJson === undefined ? {} : parseFilters(request.filtersJson);
  const words = request.search === undefined ? [] : [wordsQuery(wordsOfKeywords(request.search))];

  const view = await findView(request.viewId, call, deps.settings);
  const [context, hiding] = await Promise.all([
    filterContext([filters, ...(view ? [view.tree] : [])], call, deps),
    hidingPart(request, call, deps.settings),
  ]);
  const mailboxes = every([scopeQuery({ mailboxId: request.mailboxId }), view ? mailboxesOf(view.document) : ALWAYS]);
  const query = every([
    mailboxes,
    scopeQuery({ folderType: request.folderType }),
    view ? compileFilters(view.tree, context) : ALWAYS,
    compileFilters(filters, context),
    ...words,
    ...hiding,
  ]);
  return { query, mailboxes };
}

function identityOf(request: ListEmailsRequest, { workspaceId }: Call): unknown[] {
  const { mailboxId, folderType, viewId, filteredOnly, filtersJson, search } = request;
  const asked = [mailboxId, folderType, viewId, filteredOnly, filtersJson, search];
  return ['emails', workspaceId, ...asked.map((value) => value ?? null)];
}

async function findView(viewId: string | undefined, call: Call, settings: SettingsStore) {
  if (viewId === undefined) return undefined;
  const document = await settings.view(call.workspaceId, viewId, call);
  if (!document) throw new ApiError('VIEW_NOT_FOUND');
  return { document, tree: readStoredFilters(document.filters) };
}

function mailboxesOf({ mailboxIds }: ViewDocument): Query {
  return mailboxIds.length === 0 ? ALWAYS : { mailboxId: { $in: mailboxIds } };
}

/** The labels are only read where a tree asks for them: most listings do not. */
async function filterContext(trees: FilterTree[], call: Call, { settings, context }: ListDeps): Promise<FilterContext> {
  const labels = trees.some(asksForLabels) ? await settings.labels(call.workspaceId, call) : [];
  return {
    now: context.clock.date(),
    labelIds: labels.map(({ _id }) => _id),
    aiLabelIds: labels.filter(({ isAiLabel }) => isAiLabel).map(({ _id }) => _id),
  };
}
