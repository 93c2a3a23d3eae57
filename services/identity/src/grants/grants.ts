import { isAtLeast, type Role } from '@postroom/contract/roles';
import { lowerLevel, SENDING_LEVELS, type SendingLevel } from '@postroom/contract/sending-levels';
import { ApiError } from '@postroom/errors/api-error';
import type { GrantDocument, PersonDocument } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import { toMessageWorkspace } from '@postroom/mail-store/workspace-message';
import {
  Grant,
  type IdentityOperatorServiceDefinition,
  type IdentityServiceDefinition,
} from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { MemberDeps } from '../members/members.ts';
import type { GrantStore } from './grant-store.ts';
import type { GrantFinder } from './token-grant-store.ts';

export type { GrantStore } from './grant-store.ts';
export type { GrantFinder } from './token-grant-store.ts';

export interface OAuthGrantDeps {
  context: Pick<ServiceContext, 'clock'>;
  members: MemberDeps['members'];
  people: MemberDeps['people'];
  grants: GrantStore;
  finder: GrantFinder;
}

/** The most that a person of this role can give. */
export const mostLevelOf = (role: Role): SendingLevel => (isAtLeast(role, 'admin') ? 'send' : 'approve');

export const levelsUpTo = (most: SendingLevel): SendingLevel[] =>
  SENDING_LEVELS.filter((level) => lowerLevel(level, most) === level);

export function oauthGrantHandlers(deps: OAuthGrantDeps) {
  const { finder, members, context } = deps;

  const seenBy = async (actorId: string, workspaceId: string, budget: TimeBudget): Promise<Seen> => {
    const { members: found } = await members.load(workspaceId, budget);
    const actor = found.find(({ personId }) => personId === actorId);
    if (!actor) throw new ApiError('PERSON_NOT_FOUND');
    return (grant) => isAtLeast(actor.role, 'admin') || grant.personId === actorId;
  };

  return {
    resolveAccessToken: async ({ tokenHash }, call) => {
      const token = await finder.accessToken(tokenHash, call);
      const now = context.clock.now();
      if (!token?.grantId || !token.expiresAt || token.expiresAt.getTime() <= now) return {};
      const alive = await livingGrant(token.grantId, deps, call);
      const workspace = alive && (await finder.workspace(alive.grant.workspaceId, call));
      if (!alive || !workspace) return {};
      return {
        grant: toMessageGrant(narrowed(alive.grant, token.payload), alive.level),
        workspace: toMessageWorkspace(workspace, now),
        expiresAt: token.expiresAt.toISOString(),
        resource: alive.grant.resource,
      };
    },

    listGrants: async ({ actorId }, call) => {
      const isSeen = await seenBy(actorId, call.workspaceId, call);
      return listed(call.workspaceId, isSeen, deps, call);
    },

    revokeGrant: async ({ actorId, grantId }, call) => {
      const isSeen = await seenBy(actorId, call.workspaceId, call);
      await end(call.workspaceId, grantId, isSeen, deps, call);
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

export function grantOperatorHandlers(deps: OAuthGrantDeps) {
  const all = () => true;
  return {
    listEveryGrant: ({ workspaceId }, call) => listed(workspaceId, all, deps, call),
    endGrant: async ({ workspaceId, grantId }, call) => {
      await end(workspaceId, grantId, all, deps, call);
      return {};
    },
  } satisfies Partial<Handlers<IdentityOperatorServiceDefinition>>;
}

type Seen = (grant: GrantDocument) => boolean;

async function listed(workspaceId: string, isSeen: Seen, deps: OAuthGrantDeps, budget: TimeBudget) {
  const seen = (await deps.grants.list(workspaceId, deps.context.clock.date(), budget)).filter(isSeen);
  return { items: await named(seen, workspaceId, deps, budget) };
}

async function end(
  workspaceId: string,
  grantId: string,
  isSeen: Seen,
  { grants }: OAuthGrantDeps,
  budget: TimeBudget,
): Promise<void> {
  const grant = await grants.find(workspaceId, grantId, budget);
  if (!grant || !isSeen(grant)) throw new ApiError('NOT_FOUND', { message: 'There is no such grant.' });
  await grants.end(workspaceId, grantId, budget);
}

/** A client may ask for a token with fewer scopes than its grant has, which it hands to a part that it trusts less. */
function narrowed(grant: GrantDocument, tokenPayload: string): GrantDocument {
  const { scope = '' } = JSON.parse(tokenPayload) as { scope?: string };
  const asked = scope.split(' ');
  return { ...grant, scopes: grant.scopes.filter((one) => asked.includes(one)) };
}

/** Those that are in force now, with the names of their people. */
async function named(
  grants: readonly GrantDocument[],
  workspaceId: string,
  { members, people }: OAuthGrantDeps,
  budget: TimeBudget,
): Promise<Grant[]> {
  const { members: found } = await members.load(workspaceId, budget);
  const ids = grants.map(({ personId }) => personId);
  const byId = new Map((await people.findAll(ids, budget)).map((person) => [person._id, person]));
  return grants.flatMap((grant) => {
    const level = levelNow(grant, found);
    return level ? [toMessageGrant(grant, level, byId.get(grant.personId))] : [];
  });
}

type Members = readonly { personId: string; role: Role; joinedAt: Date }[];

/** The level in force now: undefined once the person is no member any more, or is one anew. */
function levelNow({ personId, memberSince, level }: GrantDocument, members: Members): SendingLevel | undefined {
  const member = members.find((one) => one.personId === personId);
  if (member?.joinedAt.getTime() !== memberSince.getTime()) return undefined;
  return lowerLevel(level, mostLevelOf(member.role));
}

interface LivingGrant {
  grant: GrantDocument;
  level: SendingLevel;
}

/** Null once the grant was ended or has expired, or its person has left the workspace. */
export async function livingGrant(
  grantId: string,
  { finder, members, context }: Pick<OAuthGrantDeps, 'finder' | 'members' | 'context'>,
  budget: TimeBudget,
): Promise<LivingGrant | null> {
  const grant = await finder.find(grantId, budget);
  if (!grant || grant.expiresAt <= context.clock.date()) return null;
  const level = levelNow(grant, (await members.load(grant.workspaceId, budget)).members);
  return level ? { grant, level } : null;
}

function toMessageGrant(grant: GrantDocument, level: SendingLevel, person?: PersonDocument): Grant {
  const { _id: id, workspaceId, personId, clientId, clientName, clientHost, scopes, createdAt } = grant;
  const named = { clientId, clientName, clientHost, scopes: [...scopes], createdAt: createdAt.toISOString() };
  return Grant.create({ id, workspaceId, personId, personName: person?.name ?? '', level, ...named });
}
