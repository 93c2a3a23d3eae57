import type {
  IdentityOperatorServiceDefinition,
  IdentityServiceDefinition,
  InviteMemberResponse,
} from '@postroom/proto/postroom/v1/identity';
import type { AuditTable, AuditTarget } from '@postroom/rpc/audited';
import type { Call } from '@postroom/rpc/call';
import { addressKey } from '@postroom/contract/address';
import type { PersonalStore } from '../members/members.ts';
import type { PersonStore } from '../people/people.ts';

const person = (id: string, name?: string): AuditTarget => ({ kind: 'person', id, name });

const invited = ({ email, role }: { email: string; role: string }, made?: InviteMemberResponse): AuditTarget => ({
  kind: 'invitation',
  id: made?.invitation?.id ?? '',
  name: `${email}, ${role}`,
});

interface IdentityAuditDeps {
  people: Pick<PersonStore, 'byEmail'>;
  personal: Pick<PersonalStore, 'everyMembership'>;
}

const workspacesOf = async (personId: string, call: Call, { personal }: Pick<IdentityAuditDeps, 'personal'>) =>
  (await personal.everyMembership(personId, call)).map(({ workspaceId }) => workspaceId);

/** A change of a person is told in each of their workspaces. */
export function identityAudit(deps: IdentityAuditDeps): AuditTable<IdentityServiceDefinition> {
  const workspaces = ({ personId }: { personId: string }, call: Call) => workspacesOf(personId, call, deps);
  return {
    endSession: { action: 'person.signed_out', target: ({ personId }) => person(personId), workspaces },
    setPassword: { action: 'person.password_set', target: ({ personId }) => person(personId), workspaces },
    renamePerson: { action: 'person.renamed', target: ({ personId, name }) => person(personId, name), workspaces },
    addPasskey: {
      action: 'person.passkey_added',
      target: ({ personId, name }) => person(personId, name),
      workspaces,
    },
    removePasskey: { action: 'person.passkey_removed', target: ({ personId }) => person(personId), workspaces },
    changeRole: { action: 'member.role_changed', target: ({ personId, role }) => person(personId, role) },
    removeMember: { action: 'member.removed', target: ({ personId }) => person(personId) },
    inviteMember: {
      action: 'member.invited',
      target: invited,
    },
    revokeInvitation: {
      action: 'invitation.revoked',
      target: ({ invitationId: id }) => ({ kind: 'invitation', id }),
    },
    revokeGrant: { action: 'grant.revoked', target: ({ grantId: id }) => ({ kind: 'grant', id }) },
    // Most of its requests change nothing of a workspace.
    answerOAuth: 'not audited',
    // Each use of a session is a change, and nobody asks for it.
    resolveSession: 'not audited',
    // They only ask; the answer is the change.
    beginPasskey: 'not audited',
    beginPasskeySignIn: 'not audited',
    beginOidcSignIn: 'not audited',
    // Their actor is known only once they are done, so they tell it themselves.
    signIn: 'not audited',
    signInWithPasskey: 'not audited',
    signInWithOidc: 'not audited',
    acceptLink: 'not audited',
    acceptInvitation: 'not audited',
  };
}

export function identityOperatorAudit(deps: IdentityAuditDeps): AuditTable<IdentityOperatorServiceDefinition> {
  return {
    invitePerson: {
      action: 'member.invited',
      target: invited,
      workspaces: async ({ workspaceId }) => [workspaceId],
    },
    endGrant: {
      action: 'grant.revoked',
      target: ({ grantId: id }) => ({ kind: 'grant', id }),
      workspaces: async ({ workspaceId }) => [workspaceId],
    },
    createSignInLink: {
      action: 'person.sign_in_link_made',
      target: ({ email }) => person('', email),
      workspaces: async ({ email }, call) => {
        const found = await deps.people.byEmail(addressKey(email), call);
        return found ? workspacesOf(found._id, call, deps) : [];
      },
    },
  };
}
