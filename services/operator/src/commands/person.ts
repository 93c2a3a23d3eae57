import { type Role, ROLES } from '@postroom/contract/roles';
import { defineCommand, type Command } from '../command/command.ts';
import type { CommandDeps } from '../command/command-deps.ts';
import { oneOf, textOption } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');
const email = textOption('--email <address>', 'the address of the person');
const role = oneOf<Role>('--role <role>', 'owner, admin or member', ROLES);

const invite = defineCommand({
  path: ['person', 'invite'],
  summary: 'Makes a link by which a person joins a workspace in the app; the first owner comes in by it',
  options: { workspaceId, email, role },
  run: async (values, deps) => {
    const { invitation, token } = await deps.identityOperators().invitePerson(values, {});
    const link = linkOf(token, deps);
    const expiresAt = invitation?.expiresAt ?? '';
    return {
      json: { id: invitation?.id ?? '', link, expiresAt },
      lines: [link, `Hand this link to ${values.email}. It works once, until ${expiresAt}, and is not shown again.`],
    };
  },
});

const signInLink = defineCommand({
  path: ['person', 'sign-in-link'],
  summary: 'Makes a link that signs a person in who has lost their password and passkeys',
  options: { email },
  run: async (values, deps) => {
    const { token, expiresAt } = await deps.identityOperators().createSignInLink(values, {});
    const link = linkOf(token, deps);
    return {
      json: { link, expiresAt },
      lines: [link, `Hand this link to ${values.email} alone. It works once, until ${expiresAt}.`],
    };
  },
});

const list = defineCommand({
  path: ['person', 'list'],
  summary: 'Shows the people of a workspace',
  options: { workspaceId },
  run: async (values, deps) => {
    const { items } = await deps.identity().listMembers({}, values);
    return {
      json: { items },
      table: {
        head: ['id', 'address', 'name', 'role', 'joined'],
        rows: items.map((member) => [member.personId, member.email, member.name || '-', member.role, member.joinedAt]),
      },
    };
  },
});

export const personCommands: readonly Command[] = [invite, list, signInLink];

/** The secret stands behind the #, which browsers send to nobody. */
const linkOf = (token: string, deps: Pick<CommandDeps, 'appUrl'>) => `${deps.appUrl()}/link#${token}`;
