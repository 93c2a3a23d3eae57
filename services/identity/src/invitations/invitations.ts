import { addressKey, isAddress } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { InvitationDocument, PersonDocument } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type {
  IdentityOperatorServiceDefinition,
  IdentityServiceDefinition,
  InviteMemberResponse,
  Link,
  SignedIn,
} from '@postroom/proto/postroom/v1/identity';
import type { Call } from '@postroom/rpc/call';
import { type AuditTrail, withEntries } from '@postroom/rpc/audited';
import type { Handlers } from '@postroom/rpc/definition';
import { parseRequest } from '@postroom/rpc/parse-request';
import { z } from 'zod';
import { join, type MemberDeps, requireInviter, roleField } from '../members/members.ts';
import { type PeopleDeps, toMessagePerson } from '../people/people.ts';
import {
  beginSessionBy,
  hashOfToken,
  type OpenedSession,
  type SignInWay,
  toMessageSession,
} from '../sessions/sessions.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { LinkStore } from './link-store.ts';

export interface LinkDeps extends PeopleDeps, Pick<MemberDeps, 'members'> {
  invitations: InvitationStore;
  links: LinkStore;
  trail: AuditTrail;
}

const INVITATION_MS = 7 * 24 * 3_600_000;
const SIGN_IN_LINK_MS = 10 * 60_000;
const MOST_INVITATIONS = 200;

const invitationRules = z.object({
  email: z.string().trim().refine(isAddress, 'must be one plain email address'),
  role: roleField,
});

export function linkHandlers(deps: LinkDeps) {
  const { personal, people } = deps;
  return {
    readLink: ({ token, visitor }, call) =>
      countingGuesses(visitor?.address ?? '', () => readLink(token, call, deps), call, deps),

    acceptLink: ({ token, visitor }, call) => {
      const accept = async () => {
        const invitation = await findInvitation(token, call, deps);
        const { opened, person } = invitation
          ? await acceptAsNewPerson(invitation, visitor, call, deps)
          : await useSignInLink(token, visitor, call, deps);
        return toSignedIn(opened, person, call, deps);
      };
      return countingGuesses(visitor?.address ?? '', accept, call, deps);
    },

    acceptInvitation: ({ token, personId }, call) => {
      const address = call.actor?.address ?? '';
      const accept = async () => {
        const invitation = await findInvitation(token, call, deps);
        const person = await people.find(personId, call);
        if (!invitation || person?.emailKey !== invitation.emailKey) throw new ApiError('LINK_NOT_VALID');
        await joinBy(invitation, person, address, call, deps);
        await deps.invitations.remove(invitation.workspaceId, invitation._id, call);
        return toMessagePerson(person, personal, call);
      };
      return countingGuesses(address, accept, call, deps);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

async function countingGuesses<T>(
  address: string,
  use: () => Promise<T>,
  call: Call,
  { limits }: Pick<LinkDeps, 'limits'>,
): Promise<T> {
  const attempt = await limits.begin({ address }, call);
  const used = await use();
  await attempt.succeeded();
  return used;
}

export function invitationHandlers(deps: LinkDeps) {
  const { invitations, members } = deps;
  return {
    inviteMember: async (request, call) => {
      const { email, role } = parseRequest(invitationRules, request);
      await requireInviter(call.workspaceId, { actorId: request.actorId, role }, members, call);
      return invite(call.workspaceId, { email, role, invitedBy: request.actorId }, call, deps);
    },

    listInvitations: async (_request, call) => ({
      items: (await invitations.list(call.workspaceId, deps.context.clock.date(), call)).map(toMessageInvitation),
    }),

    revokeInvitation: async ({ actorId, invitationId }, call) => {
      const invitation = await invitations.find(call.workspaceId, invitationId, call);
      if (!invitation) throw new ApiError('INVITATION_NOT_FOUND');
      await requireInviter(call.workspaceId, { actorId, role: invitation.role }, members, call);
      await invitations.remove(call.workspaceId, invitationId, call);
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

export function operatorHandlers(deps: LinkDeps) {
  return {
    invitePerson: async (request, call) => {
      const { workspaceId } = request;
      const fields = parseRequest(invitationRules, request);
      const [workspace] = await deps.personal.everyWorkspace([workspaceId], call);
      if (!workspace) throw unknownWorkspace(workspaceId);
      return invite(workspaceId, { ...fields, invitedBy: null }, call, deps);
    },

    createSignInLink: async ({ email }, call) => {
      const person = await deps.people.byEmail(addressKey(email), call);
      if (!person) throw new ApiError('PERSON_NOT_FOUND');
      const { clock, ids } = deps.context;
      const token = ids('link');
      const expiresAt = new Date(clock.now() + SIGN_IN_LINK_MS);
      await deps.links.insertSignInLink({ _id: hashOfToken(token), personId: person._id, expiresAt });
      return { token, expiresAt: expiresAt.toISOString() };
    },
  } satisfies Partial<Handlers<IdentityOperatorServiceDefinition>>;
}

/** A second invitation of an address ends the first one. */
async function invite(
  workspaceId: string,
  { email, role, invitedBy }: { email: string; role: InvitationDocument['role']; invitedBy: string | null },
  call: Call,
  { invitations, context: { clock, ids } }: LinkDeps,
): Promise<InviteMemberResponse> {
  const now = clock.date();
  const open = await invitations.list(workspaceId, now, call);
  const emailKey = addressKey(email);
  const earlier = open.filter((one) => one.emailKey === emailKey);
  if (open.length - earlier.length >= MOST_INVITATIONS) throw tooManyInvitations();
  const token = ids('invitation');
  const invitation = await invitations.insert(workspaceId, {
    _id: ids('inv'),
    email,
    emailKey,
    role,
    secretHash: hashOfToken(token),
    invitedBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_MS),
  });
  for (const one of earlier) await invitations.remove(workspaceId, one._id, call);
  return { invitation: toMessageInvitation(invitation), token };
}

async function findInvitation(token: string, budget: TimeBudget, { links, context }: LinkDeps) {
  const invitation = await links.findInvitation(hashOfToken(token), budget);
  return invitation && invitation.expiresAt > context.clock.date() ? invitation : null;
}

async function findSignInLink(token: string, budget: TimeBudget, { links, people, context }: LinkDeps) {
  const link = await links.findSignInLink(hashOfToken(token), budget);
  const person = link && link.expiresAt > context.clock.date() ? await people.find(link.personId, budget) : null;
  if (!link || !person) throw new ApiError('LINK_NOT_VALID');
  return { link, person };
}

/** It tells the inviter, who has the link too, nothing about the address: no account is looked for. */
async function readLink(token: string, call: Call, deps: LinkDeps): Promise<Link> {
  const invitation = await findInvitation(token, call, deps);
  if (!invitation) {
    const { link, person } = await findSignInLink(token, call, deps);
    return { kind: 'sign_in', email: person.email, expiresAt: link.expiresAt.toISOString() };
  }
  const [workspace] = await deps.personal.everyWorkspace([invitation.workspaceId], call);
  return {
    kind: 'invitation',
    email: invitation.email,
    expiresAt: invitation.expiresAt.toISOString(),
    workspaceName: workspace?.name ?? '',
    role: invitation.role,
  };
}

type Accepted = { opened: OpenedSession; person: PersonDocument };
type Visitor = Parameters<typeof beginSessionBy>[2];

/**
 * The link was handed over by whoever invited, so it may make a new account, and open none that was there before. An
 * account that a first, interrupted use of this same link made is such a new one.
 */
export async function acceptAsNewPerson(
  invitation: InvitationDocument,
  visitor: Visitor,
  call: Call,
  deps: LinkDeps,
): Promise<Accepted> {
  const { context, people, invitations } = deps;
  const { email, emailKey } = invitation;
  const created = {
    _id: context.ids('per'),
    email,
    emailKey,
    name: '',
    password: null,
    proofId: null,
    createdAt: context.clock.date(),
  };
  const person = await people.insertOnce({ ...created, invitationId: invitation._id }, call);
  if (person.invitationId !== invitation._id) throw new ApiError('SIGN_IN_FIRST');
  await joinBy(invitation, person, visitor?.address ?? '', call, deps);
  const use = () => invitations.remove(invitation.workspaceId, invitation._id, call);
  return { opened: await beginSessionBy(byLink(use), person, visitor, deps, call), person };
}

async function useSignInLink(token: string, visitor: Visitor, call: Call, deps: LinkDeps): Promise<Accepted> {
  const { link, person } = await findSignInLink(token, call, deps);
  const use = () => deps.links.removeSignInLink(link._id, call);
  return { opened: await beginSessionBy(byLink(use), person, visitor, deps, call), person };
}

/** The session is there before the link is gone, so that a crash in between loses neither. */
const byLink = (use: () => Promise<boolean>): SignInWay => ({
  isStillThere: use,
  refusal: () => new ApiError('LINK_NOT_VALID'),
});

async function joinBy(
  { _id: invitationId, workspaceId, role, invitedBy }: InvitationDocument,
  { _id: personId, name, email }: PersonDocument,
  address: string,
  call: Call,
  { members, trail, context }: LinkDeps,
): Promise<void> {
  const actor = { kind: 'person' as const, id: personId, name: name || email, address };
  const target = { kind: 'person', id: personId, name: role };
  const entry = { id: JSON.stringify([invitationId, personId]), workspaceId, actor, action: 'member.joined', target };
  const change = () => join(workspaceId, { personId, role, joinedAt: context.clock.date() }, invitedBy, members, call);
  await withEntries(trail, [entry], change, () => target);
}

async function toSignedIn(
  { token, session }: OpenedSession,
  person: PersonDocument,
  call: Call,
  { personal }: LinkDeps,
): Promise<SignedIn> {
  return { token, session: toMessageSession(session), person: await toMessagePerson(person, personal, call) };
}

function toMessageInvitation({ _id, email, role, createdAt, expiresAt }: InvitationDocument) {
  return { id: _id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

function tooManyInvitations(): ApiError {
  const message = `At most ${MOST_INVITATIONS} invitations of a workspace are open at once; revoke one first.`;
  return new ApiError('CONFLICT', { message });
}

function unknownWorkspace(workspaceId: string): ApiError {
  const message = `There is no workspace "${workspaceId}"; "postroom workspace list" shows the ones there are.`;
  return new ApiError('NOT_FOUND', { message });
}
