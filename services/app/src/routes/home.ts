import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import type { HomeAnswer, SyncAnswer } from '../answers/answers.ts';
import { syncOf } from './mailboxes.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';
import { limitsOf } from './usage.ts';

const MOST_DRAFTS = 200;
const MOST_BACKFILLS = 50;

export const homeAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/home',
    needs: 'member',
    call: async (_input, services, visit): Promise<HomeAnswer> => {
      const [mailboxes, replies, approvals, webhooks, limits, backfills] = await Promise.all([
        mailboxesAtHome(services, visit),
        repliesAtHome(services, visit),
        services.outboundSend.listApprovals({ actorId: visit.person.id }, visit),
        webhooksAtHome(services, visit),
        limitsOf(visit, services),
        services.labelRule.listBackfills({ limit: MOST_BACKFILLS }, visit),
      ]);
      const running = backfills.items.filter(({ state }) => state === 'queued' || state === 'running').length;
      const waiting = { waiting: approvals.items.length };
      return { mailboxes, replies, approvals: waiting, webhooks, limits, backfills: { running } };
    },
  }),
];

async function mailboxesAtHome(services: AppServices, visit: WorkspaceVisit): Promise<HomeAnswer['mailboxes']> {
  const { items } = await services.mailboxRead.listMailboxes({}, visit);
  const syncs = await Promise.all(items.map((mailbox) => syncOf(mailbox, services, visit)));
  const failing = items.flatMap((mailbox, at) => failureOf(mailbox, syncs[at] ?? null));
  const times = items.flatMap(({ status, lastSyncedAt }) =>
    status === 'active' && lastSyncedAt !== undefined ? [Date.parse(lastSyncedAt)] : [],
  );
  const lagSeconds = times.length === 0 ? null : Math.max(0, Math.round((visit.now - Math.min(...times)) / 1_000));
  return { total: items.length, failing, lagSeconds };
}

function failureOf({ id, email, status }: Mailbox, sync: SyncAnswer | null): HomeAnswer['mailboxes']['failing'] {
  const lastError = sync?.lastError ?? null;
  return status === 'active' && lastError === null ? [] : [{ id, email, status, lastError }];
}

async function repliesAtHome({ mailboxRead }: AppServices, visit: WorkspaceVisit): Promise<HomeAnswer['replies']> {
  const { items } = await mailboxRead.listDrafts({ limit: MOST_DRAFTS }, visit);
  const waiting = items.filter(({ email }) => email?.scheduledStatus === 'pending').length;
  return { waiting, drafts: items.filter(({ source }) => source === 'auto_draft').length - waiting };
}

async function webhooksAtHome(
  { webhookDelivery }: AppServices,
  visit: WorkspaceVisit,
): Promise<HomeAnswer['webhooks']> {
  if (!webhookDelivery || !visit.features.includes('webhooks') || visit.role === 'member') return null;
  const { items } = await webhookDelivery.listWebhooks({}, visit);
  const failing = items
    .filter(({ status, failingSince }) => status === 'disabled' || failingSince !== undefined)
    .map(({ id, url, status, failingSince }) => ({ id, url, status, failingSince: failingSince ?? null }));
  return { total: items.length, failing };
}
