import type { Role } from '@postroom/contract/roles';
import type * as proto from '@postroom/proto/postroom/v1/identity';
import type {
  InvitationAnswer,
  LinkAnswer,
  MemberAnswer,
  PersonAnswer,
  SessionAnswer,
  SignedInAnswer,
} from '../answers/answers.ts';
import type { PageVisit } from './route.ts';

/** AppServices answer with every field that they have; the pages get these. */
export function toJsonPerson(person: proto.Person): PersonAnswer {
  const { id, email, name, hasPassword, createdAt } = person;
  const memberships = person.memberships.map(({ workspaceId, workspaceName, role }) => {
    return { workspaceId, workspaceName, role: role as Role };
  });
  return { id, email, name, hasPassword, createdAt, memberships };
}

export function toJsonSession(session: proto.Session, currentId: string): SessionAnswer {
  const { id, createdAt, lastSeenAt, expiresAt, address, userAgent } = session;
  return { id, createdAt, lastSeenAt, expiresAt, address, userAgent, isCurrent: id === currentId };
}

/** The token goes into the cookie, and never to the pages. */
export function toSignedIn({ token, person, session }: proto.SignedIn, visit: PageVisit): SignedInAnswer {
  if (!person || !session) throw new Error('a sign-in was answered without its person or session');
  visit.signIn(token);
  return { person: toJsonPerson(person), session: toJsonSession(session, session.id) };
}

export function toJsonLink({ kind, email, expiresAt, workspaceName, role }: proto.Link): LinkAnswer {
  return {
    kind: kind as LinkAnswer['kind'],
    email,
    expiresAt,
    workspaceName: workspaceName ?? null,
    role: (role as Role | undefined) ?? null,
  };
}

export function toJsonMember({ personId, email, name, role, joinedAt }: proto.Member): MemberAnswer {
  return { personId, email, name, role: role as Role, joinedAt };
}

export function toJsonInvitation(invitation: proto.Invitation | undefined): InvitationAnswer {
  if (!invitation) throw new Error('an invitation was answered without itself');
  const { id, email, role, createdAt, expiresAt } = invitation;
  return { id, email, role: role as Role, createdAt, expiresAt };
}
