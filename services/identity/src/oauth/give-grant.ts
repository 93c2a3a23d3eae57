import { isOneOf, SCOPES, type Scope } from '@postroom/contract/lists';
import type { SendingLevel } from '@postroom/contract/sending-levels';
import type { PersonDocument } from '@postroom/mail-store/documents/identity';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { type AuditTrail, withEntries } from '@postroom/rpc/audited';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type Provider from 'oidc-provider';
import { levelsUpTo, mostLevelOf, type OAuthGrantDeps } from '../grants/grants.ts';
import { roleOf } from '../members/members.ts';
import type { PeopleDeps } from '../people/people.ts';
import { recordIdOf } from './adapter.ts';
import { hostOf, shownName } from './names.ts';
import { GRANT_DAYS } from './provider.ts';
import type { RecordStore } from './record-store.ts';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface GiveGrantDeps extends Pick<PeopleDeps, 'context' | 'personal'> {
  grants: OAuthGrantDeps['grants'];
  records: RecordStore;
  trail: AuditTrail;
}

/** A workspace that the person can let a client into. */
interface Choice {
  id: string;
  name: string;
  levels: SendingLevel[];
  memberSince: Date;
}

interface Given {
  interaction: Interaction;
  person: PersonDocument;
  choice: Choice;
  level: SendingLevel;
  /** The network address of the person. */
  address: string;
}

const DAY_MS = 86_400_000;

export const scopesOf = ({ params: { scope } }: Interaction): Scope[] =>
  typeof scope === 'string' ? scope.split(' ').filter((one) => isOneOf(SCOPES, one)) : [];

export function clientOf({ params }: Interaction): { clientId: string; redirectUri: string } {
  const { client_id: clientId, redirect_uri: redirectUri } = params;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') throw new Error('a question without a client');
  return { clientId, redirectUri };
}

export async function choicesOf(person: PersonDocument, { personal }: GiveGrantDeps): Promise<Choice[]> {
  const found = await personal.everyMembership(person._id, QUERY_BUDGET);
  const ids = found.map(({ workspaceId }) => workspaceId);
  const names = new Map((await personal.everyWorkspace(ids, QUERY_BUDGET)).map(({ _id, name }) => [_id, name]));
  return found.flatMap(({ workspaceId, members }) => {
    const member = members.find(({ personId }) => personId === person._id);
    const role = roleOf(members, person._id);
    if (!member || !role) return [];
    const levels = levelsUpTo(mostLevelOf(role));
    return [{ id: workspaceId, name: names.get(workspaceId) ?? workspaceId, levels, memberSince: member.joinedAt }];
  });
}

/** The id of the grant is that of the question, so that an answer that is sent twice gives one grant. */
export async function giveGrant(
  provider: Provider,
  resource: string,
  { interaction, person, choice, level, address }: Given,
  { grants, records, trail, context: { clock } }: GiveGrantDeps,
): Promise<string> {
  const { clientId, redirectUri } = clientOf(interaction);
  const requested = scopesOf(interaction);
  const scopes = level === 'read' ? requested.filter((scope) => scope === 'read') : requested;
  const _id = deterministicId('gra', interaction.uid);
  const named = { accountId: person._id, clientId, jti: _id };
  const record = new provider.Grant(named);
  record.addResourceScope(resource, scopes.join(' '));
  record.rejectResourceScope(resource, SCOPES.filter((scope) => !scopes.includes(scope)).join(' '));
  await record.save();
  const clientHost = hostOf(redirectUri);
  const clientName = shownName((await provider.Client.find(clientId))?.clientName, clientHost);
  const createdAt = clock.date();
  const expiresAt = new Date(createdAt.getTime() + GRANT_DAYS * DAY_MS);
  const whose = { personId: person._id, memberSince: choice.memberSince, clientId, clientName, clientHost };
  const actor = { kind: 'person' as const, id: person._id, name: person.name || person.email, address };
  const target = { kind: 'grant', id: _id, name: `${clientName}, ${level}` };
  const entry = { id: JSON.stringify(['grant', _id]), workspaceId: choice.id, actor, action: 'grant.given', target };
  const give = () => grants.insertOnce(choice.id, { _id, ...whose, scopes, level, resource, createdAt, expiresAt });
  await withEntries(trail, [entry], give, () => target);
  await records.keepForever(recordIdOf(clientId), 'Client');
  return _id;
}
