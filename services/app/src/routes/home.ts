import { isAtLeast } from '@postroom/contract/roles';
import type { ApprovalsOfPerson } from '@postroom/proto/postroom/v1/outbound_send';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import type { HomeAnswer, SyncAnswer } from '../answers/answers.ts';
import { syncOf } from './mailboxes.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';
import { limitsOf } from './usage.ts';

const MOST_BACKFILLS = 50;

export const homeAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/home',
    needs: 'member',
    call: async (_input, services, visit): Promise<HomeAnswer> => {
      const { approvals, webhooks, ...state } = await visit.shared('home', () => stateOf(services, visit));
      return {
        ...state,
        approvals: { waiting: waitingFor(visit, approvals) },
        webhooks: visit.role === 'member' ? null : webhooks,
      };
    },
  }),
];

type State = Omit<HomeAnswer, 'approvals'> & { approvals: readonly ApprovalsOfPerson[] };

/** Everything that Home tells of a workspace, whoever looks at it. */
async function stateOf(services: AppServices, visit: WorkspaceVisit): Promise<State> {
  const [mailboxes, counts, approvals, webhooks, limits, backfills] = await Promise.all([
    mailboxesAtHome(services, visit),
    services.mailboxRead.countMail({}, visit),
    services.outboundSend.countApprovals({}, visit),
    webhooksAtHome(services, visit),
    limitsOf(visit, services),
    services.labelRule.listBackfills({ limit: MOST_BACKFILLS }, visit),
  ]);
  const running = backfills.items.filter(({ state }) => state === 'queued' || state === 'running').length;
  return {
    mailboxes,
    replies: { waiting: counts.waitingReplies, drafts: counts.ruleDrafts },
    quarantined: { messages: counts.quarantinedMessages, emails: counts.quarantinedEmails },
    deadLetters: counts.deadLetters,
    approvals: approvals.items,
    webhooks,
    limits,
    backfills: { running },
  };
}

/** Owners and admins decide on all approvals, members on those of their own clients. */
function waitingFor({ role, personId }: WorkspaceVisit, approvals: readonly ApprovalsOfPerson[]): number {
  const theirs = isAtLeast(role, 'admin') ? approvals : approvals.filter((one) => one.personId === personId);
  return theirs.reduce((sum, { waiting }) => sum + waiting, 0);
}

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

async function webhooksAtHome(
  { webhookDelivery }: AppServices,
  visit: WorkspaceVisit,
): Promise<HomeAnswer['webhooks']> {
  if (!webhookDelivery || !visit.features.includes('webhooks')) return null;
  const { items } = await webhookDelivery.listWebhooks({}, visit);
  const failing = items
    .filter(({ status, failingSince }) => status === 'disabled' || failingSince !== undefined)
    .map(({ id, url, status, failingSince }) => ({ id, url, status, failingSince: failingSince ?? null }));
  return { total: items.length, failing };
}
